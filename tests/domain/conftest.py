from hypothesis import settings

# On a busy machine a single example may take long, and that says nothing about the code. What an earlier run has found
# and kept in the working tree is not tried again: a run depends on nothing that was there before.
settings.register_profile("flowfabric", deadline=None, database=None)
settings.load_profile("flowfabric")
