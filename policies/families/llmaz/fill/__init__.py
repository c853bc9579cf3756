"""What Weighbridge fills into objects of llmaz where their author left it open."""
