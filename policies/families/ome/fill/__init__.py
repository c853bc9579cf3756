"""What is filled into OME's services where their author left it open."""
