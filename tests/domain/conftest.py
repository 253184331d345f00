from hypothesis import settings

# On a busy machine a single example may take long, and that says nothing about the code.
settings.register_profile("flowfabric", deadline=None)
settings.load_profile("flowfabric")
