"""The context of the objects that `lint` judges: objects to which they may refer, and the objects before a change."""
