"""Fields of OME's services that Weighbridge fills in if the author left them empty."""
