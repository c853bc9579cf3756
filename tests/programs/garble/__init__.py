"""Shows that tests hold the words of each rule: `make garble` changes one part of all findings and counts the rules whose tests fail."""
