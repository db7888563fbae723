"""AdminConfig and AdminTask, with the methods that the scripts of lintmdb call, and with what WebSphere refuses."""
# Runs under Jython 2.7 as well. The names are those of the product.
# pyright: basic
# ruff: noqa: N802, D102

from metamodel import BOOL, INT, LONG, RELIABILITY, TEXT, TYPES, all_attributes, all_parts, is_a, is_valid, together
from repository import ScriptingError

try:
    STRINGS = (str, unicode)  # type: ignore[name-defined]
except NameError:
    STRINGS = (str,)


class AdminConfig:
    """The configuration service."""

    def __init__(self, repository):
        self.repository = repository

    def getid(self, path):
        return "\n".join([item.config_id() for item in self.repository.by_path(path)])

    def list(self, kind, scope=None):
        if kind not in TYPES:
            raise ScriptingError("WASX7051E: Type " + kind + " is not known.")
        inside = self.repository.everything() if not scope else self.repository.find(scope).all()
        return "\n".join([item.config_id() for item in inside if is_a(item.kind, kind)])

    def showAttribute(self, config_id, name):
        item = self.repository.find(config_id)
        part = all_parts(item.kind).get(name)
        if part is not None:
            ids = [inner.config_id() for inner in item.inner if inner.element.tagName == name]
            if part[1]:
                return "[" + " ".join(ids) + "]"
            return ids[0] if ids else None
        default = self._attribute(item, name)[1]
        if item.element is None:
            return item.name if name == "name" else None
        if item.element.hasAttribute(name):
            return item.element.getAttribute(name)
        return default

    def modify(self, config_id, attributes):
        item = self.repository.find(config_id)
        for name, value in self._pairs(item, attributes):
            item.element.setAttribute(name, value)
        self.repository.touch(item)
        return ""

    def create(self, kind, parent_id, attributes, part=None):
        parent = self.repository.find(parent_id)
        if kind not in TYPES:
            raise ScriptingError("WASX7051E: Type " + kind + " is not known.")
        parts = all_parts(parent.kind)
        tags = [tag for tag, (declared, _) in parts.items() if is_a(kind, declared)]
        if part is not None:
            tags = [tag for tag in tags if tag == part]
        if len(tags) != 1:
            raise ScriptingError("WASX7129E: " + parent.kind + " has not one part for a " + kind + ".")
        if not parts[tags[0]][1] and [inner for inner in parent.inner if inner.element.tagName == tags[0]]:
            raise ScriptingError("WASX7130E: " + parent.kind + " has a " + tags[0] + " already.")
        item = self.repository.add(parent, tags[0], kind)
        for name, value in self._pairs(item, attributes):
            item.element.setAttribute(name, value)
        item.name = item.element.getAttribute("name")
        return item.config_id()

    def remove(self, config_id):
        self.repository.drop(self.repository.find(config_id))
        return ""

    def save(self):
        self.repository.save()
        return ""

    def reset(self):
        self.repository.reset()
        return ""

    def _attribute(self, item, name):
        known = all_attributes(item.kind)
        if name not in known:
            raise ScriptingError("WASX7080E: Attribute " + name + " is not an attribute of type " + item.kind + ".")
        return known[name]

    def _pairs(self, item, attributes):
        """Names and values, as a list of lists that WebSphere would take."""
        for pair in attributes:
            if not isinstance(pair, list) or len(pair) != 2:
                raise ScriptingError("WASX7122E: Expected a list of names and values: " + repr(pair))
            name, value = pair
            kind, _ = self._attribute(item, name)
            if not isinstance(value, STRINGS) or not is_valid(kind, value):
                raise ScriptingError("WASX7126E: " + repr(value) + " is no value of " + name + ", a " + repr(kind))
        return attributes


YES_NO = "YES or NO"
_MQ = {
    "stopEndpointIfDeliveryFails": ("was_stopEndpointIfDeliveryFails", BOOL),
    "failureDeliveryCount": ("was_failureDeliveryCount", INT),
    "maxPoolSize": ("maxPoolDepth", INT),
    "startTimeout": ("startTimeout", INT),
    "poolTimeout": ("poolTimeout", INT),
    "rescanInterval": ("rescanInterval", INT),
    "ccsid": ("CCSID", INT),
    "msgRetention": ("messageRetention", YES_NO),
    "failIfQuiescing": ("failIfQuiesce", BOOL),
    "qmgrName": ("queueManager", TEXT),
    "qmgrHostname": ("hostName", TEXT),
    "qmgrPortNumber": ("port", INT),
    "qmgrSvrconnChannel": ("channel", TEXT),
    "messageSelector": ("messageSelector", TEXT),
    "providerVersion": ("providerVersion", TEXT),
    "subscriptionDurability": ("subscriptionDurability", ("Durable", "Nondurable")),
    "subscriptionName": ("subscriptionName", TEXT),
    "customProperties": (None, None),
}
_BUS_SPECIFICATION = {
    "autoStopSequentialMessageFailure": ("AutoStopSequentialMessageFailure", INT),
    "failingMessageDelay": ("failingMessageDelay", LONG),
    "maxBatchSize": ("maxBatchSize", INT),
    "maxConcurrency": ("maxConcurrency", INT),
    "retryInterval": ("retryInterval", INT),
    "acknowledgeMode": ("acknowledgeMode", TEXT),
    "busName": ("busName", TEXT),
    "messageSelector": ("messageSelector", TEXT),
    "target": ("target", TEXT),
}
_BUS_DESTINATION = {
    "description": TEXT,
    "reliability": RELIABILITY,
    "maxReliability": RELIABILITY,
    "exceptionDiscardReliability": RELIABILITY,
    "defaultPriority": INT,
    "maxFailedDeliveries": INT,
    "exceptionDestination": TEXT,
    "sendAllowed": ("TRUE", "FALSE", "INHERIT", "true", "false"),
    "receiveAllowed": ("TRUE", "FALSE", "INHERIT", "true", "false"),
    "receiveExclusive": BOOL,
    "maintainStrictMessageOrder": BOOL,
    "topicAccessCheckRequired": BOOL,
    "blockedRetryTimeout": LONG,
    "persistRedeliveryCount": BOOL,
    "replyDestination": TEXT,
    "replyDestinationBus": TEXT,
}
_CLASSES = {
    "modifyWMQActivationSpec": "com.ibm.mq.connector.",
    "modifySIBJMSActivationSpec": "com.ibm.ws.sib.api.jmsra.",
}


class AdminTask:
    """The tasks that know where a setting is kept."""

    def __init__(self, repository):
        self.repository = repository

    def listSIBDestinations(self, parameters):
        given = _parameters("listSIBDestinations", parameters, ("bus", "type"))
        bus = self._bus(given)
        kinds = ["SIB" + given["type"]] if "type" in given else ["SIBDestination", "SIBDestinationAlias"]
        found = [item for item in bus.all() if [kind for kind in kinds if is_a(item.kind, kind)]]
        return "\n".join([item.config_id() for item in found])

    def modifySIBDestination(self, parameters):
        given = _parameters("modifySIBDestination", parameters, together(_BUS_DESTINATION, {"bus": TEXT, "name": TEXT}))
        bus = self._bus(given)
        found = [item for item in bus.inner if item.name == given.get("name")]
        if len(found) != 1:
            raise ScriptingError("CWSJA0011E: Destination " + repr(given.get("name")) + " not found.")
        known = all_attributes(found[0].kind)
        for name, value in given.items():
            if name in ("bus", "name"):
                continue
            if name not in known:
                raise ScriptingError("CWSJA0077E: " + name + " does not go with a " + found[0].kind + ".")
            _check(name, value, _BUS_DESTINATION[name])
            found[0].element.setAttribute(name, value)
        self.repository.touch(found[0])
        return found[0].config_id()

    def _bus(self, given):
        found = [
            item for item in self.repository.everything() if item.kind == "SIBus" and item.name == given.get("bus")
        ]
        if len(found) != 1:
            raise ScriptingError('CWSJA0001E: Bus "' + str(given.get("bus")) + '" not found.')
        return found[0]

    def modifyWMQActivationSpec(self, config_id, parameters):
        given = _parameters("modifyWMQActivationSpec", parameters, _MQ)
        spec = self._specification("modifyWMQActivationSpec", config_id)
        for name, value in given.items():
            if name == "customProperties":
                for custom, text in value:
                    self._set(spec, custom, text)
                continue
            kept, kind = _MQ[name]
            _check(name, value, BOOL if kind == YES_NO else kind)
            if kind == YES_NO:
                value = {"true": "YES", "false": "NO"}[value]
            self._set(spec, kept, value)
        self.repository.touch(spec)
        return spec.config_id()

    def modifySIBJMSActivationSpec(self, config_id, parameters):
        given = _parameters("modifySIBJMSActivationSpec", parameters, _BUS_SPECIFICATION)
        spec = self._specification("modifySIBJMSActivationSpec", config_id)
        for name, value in given.items():
            kept, kind = _BUS_SPECIFICATION[name]
            _check(name, value, kind)
            self._set(spec, kept, value)
        self.repository.touch(spec)
        return spec.config_id()

    def _specification(self, task, config_id):
        """The activation specification that a task is for. Refuses one of another resource adapter."""
        spec = self.repository.find(config_id)
        if spec.kind != "J2CActivationSpec":
            raise ScriptingError("ADMF0003E: " + config_id + " is no target of " + task + ".")
        reference = spec.element.getAttribute("activationSpec")
        declared = spec.parent.element.getElementsByTagName("activationSpec")
        for element in [declared.item(number) for number in range(declared.length)]:
            name = element.getAttribute("activationSpecClass")
            if element.getAttribute("xmi:id") == reference and not name.startswith(_CLASSES[task]):
                raise ScriptingError("CWSJD0001E: " + config_id + " is of " + name + ", not for " + task + ".")
        return spec

    def _set(self, spec, name, value):
        """Set a property where it is; one that the resource adapter lacks is packed among the arbitrary ones."""
        for inner in spec.inner:
            if inner.name == name or (spec.parent.name.startswith("SIB") and inner.name.lower() == name.lower()):
                inner.element.setAttribute("value", value)
                return
        if not name.lower().startswith("was_"):
            self._new(spec, name, value)
            return
        entry = name + '="' + value + '"'
        for inner in spec.inner:
            if inner.name == "arbitraryProperties":
                entries = [e for e in inner.element.getAttribute("value").split(",") if e.strip()]
                others = [e for e in entries if e.partition("=")[0].strip().lower() != name.lower()]
                others.append(entry)
                inner.element.setAttribute("value", ",".join(others))
                return
        self._new(spec, "arbitraryProperties", entry)

    def _new(self, spec, name, value):
        item = self.repository.add(spec, "resourceProperties", "J2EEResourceProperty")
        item.name = name
        item.element.setAttribute("name", name)
        item.element.setAttribute("value", value)


def _parameters(task, parameters, known):
    """The parameters of a task by name. Refuses those that it does not have, and one without a value."""
    if not isinstance(parameters, list):
        raise ScriptingError("ADMF0002E: The parameters of " + task + " are no list: " + repr(parameters))
    given = {}
    position = 0
    while position < len(parameters):
        name = parameters[position]
        if not isinstance(name, STRINGS) or name[:1] != "-" or name[1:] not in known:
            raise ScriptingError("ADMF0005E: " + repr(name) + " is not a parameter of " + task + ".")
        if position + 1 == len(parameters):
            raise ScriptingError("ADMF0004E: " + name + " of " + task + " has no value.")
        value = parameters[position + 1]
        if value == "" or (isinstance(value, STRINGS) and value[:1] == "-"):
            raise ScriptingError("ADMF0004E: " + name + " of " + task + " has no value.")
        given[name[1:]] = value
        position += 2
    return given


def _check(name, value, kind):
    if not isinstance(value, STRINGS) or not is_valid(kind, value):
        raise ScriptingError("ADMF0006E: " + repr(value) + " is no value of " + name + ", a " + repr(kind))
