"""Work in several processes, on as many cores as there are."""

from keras_cgru.processes.cores import available_cores
from keras_cgru.processes.message import Message
from keras_cgru.processes.pool import run_jobs

__all__ = ["Message", "available_cores", "run_jobs"]
