"""Everything anyone may ask for, one frozen class each, in a file for each subject.

The type parameter of a command is the answer that it gets. Commands hold checked, canonical values: the code that
builds one has passed its arguments through `inputs` first. What a command does is said by its rule in `decide`.
"""

from flowfabric.domain.commands.command import *
from flowfabric.domain.commands.executions import *
from flowfabric.domain.commands.flows import *
from flowfabric.domain.commands.naming import *
from flowfabric.domain.commands.schedules import *
from flowfabric.domain.commands.upkeep import *
from flowfabric.domain.commands.working import *
