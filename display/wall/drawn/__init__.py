"""The wall as pygame draws it, with its fonts, its sound and its window."""
