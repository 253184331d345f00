"""Every command, as one frozen class, in a file for each subject.

The type parameter of a command is the answer that it gets. Commands hold checked, canonical values: the code that
builds a command has passed its arguments through `inputs` first. The rule in `decide` says what a command does.
"""

from flowfabric.domain.commands.access import *
from flowfabric.domain.commands.children import *
from flowfabric.domain.commands.command import *
from flowfabric.domain.commands.executions import *
from flowfabric.domain.commands.flows import *
from flowfabric.domain.commands.limits import *
from flowfabric.domain.commands.naming import *
from flowfabric.domain.commands.schedules import *
from flowfabric.domain.commands.streaming import *
from flowfabric.domain.commands.upkeep import *
from flowfabric.domain.commands.waiting import *
from flowfabric.domain.commands.working import *
