"""What is around the objects that `lint` judges: what they may refer to, and what there was before a change."""
