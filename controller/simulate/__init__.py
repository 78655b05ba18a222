"""`cutcard simulate`: many tables at a broker, and what becomes of what they say."""
