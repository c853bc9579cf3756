"""The ground floor: values, words and forms that every other room uses."""
