"""What is filled into objects of llmaz where their author left it open."""
