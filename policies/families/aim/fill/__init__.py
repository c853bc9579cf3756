"""What is filled into AIM's objects where their author left it open."""
