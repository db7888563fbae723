"""What the configuration of WebSphere has: types, their attributes and their parts, as far as the tests need them."""
# Runs under Jython 2.7 as well.
# pyright: basic

TEXT, INT, LONG, BOOL = "String", "int", "long", "boolean"
STATES = ("START", "STOP")
RELIABILITY = (
    "BEST_EFFORT_NONPERSISTENT",
    "EXPRESS_NONPERSISTENT",
    "RELIABLE_NONPERSISTENT",
    "RELIABLE_PERSISTENT",
    "ASSURED_PERSISTENT",
)
INHERITED = ("TRUE", "FALSE", "INHERIT")
PURGE = ("EntirePool", "FailingConnectionOnly")


class Type:
    """A type: its attributes by name, as type and default, and its parts by name, as type and whether it has many."""

    def __init__(self, attributes, parts=None, above=None):
        self.attributes = attributes
        self.parts = parts or {}
        self.above = above


def attributes(kind, names, **known):
    """Attributes of one type; those with a default by keyword."""
    found = dict.fromkeys(names.split(), (kind, None))
    found.update({name: (kind, value) for name, value in known.items()})
    return found


def together(*groups):
    """Several groups of attributes or parts as one."""
    found = {}
    for group in groups:
        found.update(group)
    return found


def one(kind):
    """A part that an object has once."""
    return (kind, 0)


def many(kind):
    """A part that an object may have many times."""
    return (kind, 1)


_NAMED = attributes(TEXT, "name description")
_ENABLED = attributes(BOOL, "", enable="true")
_STATE = {"stateManagement": one("StateManageable")}
_PROPERTY = together(attributes(TEXT, "name value description"), attributes(BOOL, "", required="false"))
_POOL_TYPES = {"connectionPool": one("ConnectionPool"), "sessionPool": one("ConnectionPool")}
_PROPERTY_SET = {"propertySet": one("J2EEResourcePropertySet")}
_MQ_FACTORY = together(
    _NAMED,
    attributes(
        TEXT,
        "jndiName category authDataAlias authMechanismPreference queueManager host channel transportType clientID "
        "providerVersion ccdtUrl connameList sslType sslConfiguration providerType tempModel",
    ),
    attributes(INT, "port CCSID maxBatchSize pollingInterval rescanInterval"),
    attributes(BOOL, "cloneSupport manageCachedHandles", XAEnabled="true", failIfQuiesce="true", msgRetention="true"),
)
_BUS_DESTINATION = together(
    attributes(TEXT, "identifier uuid description replyDestination replyDestinationBus exceptionDestination"),
    attributes(
        RELIABILITY,
        "",
        reliability="ASSURED_PERSISTENT",
        maxReliability="ASSURED_PERSISTENT",
        exceptionDiscardReliability="BEST_EFFORT_NONPERSISTENT",
    ),
    attributes(INT, "", defaultPriority="0", maxFailedDeliveries="5"),
    attributes(LONG, "", blockedRetryTimeout="-1"),
    attributes(
        BOOL,
        "",
        sendAllowed="true",
        receiveAllowed="true",
        overrideOfQOSByProducerAllowed="true",
        maintainStrictMessageOrder="false",
        persistRedeliveryCount="false",
    ),
)

TYPES = {
    "Cell": Type(_NAMED),
    "Node": Type(_NAMED),
    "ServerCluster": Type(_NAMED),
    "SIBus": Type(_NAMED),
    "Server": Type(
        together(_NAMED, attributes(TEXT, "clusterName")),
        together(_STATE, {"services": many("Service"), "components": many("Component")}),
    ),
    "Service": Type(_ENABLED, {"properties": many("Property")}),
    "Component": Type(_NAMED, together(_STATE, {"services": many("Service"), "components": many("Component")})),
    "ApplicationServer": Type({}, above="Component"),
    "EJBContainer": Type({}, above="Component"),
    "ThreadPoolManager": Type({}, {"threadPools": many("ThreadPool")}, above="Service"),
    "TransactionService": Type(
        together(
            attributes(
                INT,
                "maximumTransactionTimeout heuristicRetryLimit heuristicRetryWait asyncResponseTimeout",
                totalTranLifetimeTimeout="120",
                clientInactivityTimeout="60",
                propogatedOrBMTTranLifetimeTimeout="300",
            ),
            attributes(TEXT, "transactionLogDirectory httpProxyPrefix httpsProxyPrefix LPSHeuristicCompletion"),
            attributes(BOOL, "enableFileLocking enableProtocolSecurity enableLoggingForHeuristicReporting"),
        ),
        above="Service",
    ),
    "MessageListenerService": Type(
        attributes(INT, "maxMDBListenerRetries mdbListenerRecoveryInterval mqJMSPoolingTimeout mqJMSPoolingThreshold"),
        {"listenerPorts": many("ListenerPort"), "threadPool": one("ThreadPool")},
        above="Service",
    ),
    "ListenerPort": Type(
        together(
            _NAMED,
            attributes(TEXT, "connectionFactoryJNDIName destinationJNDIName"),
            attributes(INT, "", maxSessions="1", maxRetries="0", maxMessages="1"),
        ),
        _STATE,
    ),
    "StateManageable": Type(attributes(STATES, "", initialState="START")),
    "ThreadPool": Type(
        together(
            _NAMED,
            attributes(INT, "minimumSize maximumSize inactivityTimeout"),
            attributes(BOOL, "", isGrowable="false"),
        )
    ),
    "Property": Type(together(_PROPERTY, attributes(TEXT, "validationExpression"))),
    "J2EEResourceProperty": Type(
        together(_PROPERTY, attributes(TEXT, "type"), attributes(BOOL, "ignore confidential supportsDynamicUpdates"))
    ),
    "J2EEResourcePropertySet": Type({}, {"resourceProperties": many("J2EEResourceProperty")}),
    "J2CResourceAdapter": Type(
        together(_NAMED, attributes(TEXT, "archivePath threadPoolAlias"), attributes(BOOL, "isolatedClassLoader")),
        together(
            _PROPERTY_SET, {"j2cActivationSpec": many("J2CActivationSpec"), "factories": many("ConnectionFactory")}
        ),
    ),
    "J2CActivationSpec": Type(
        together(_NAMED, attributes(TEXT, "jndiName authenticationAlias destinationJndiName activationSpec")),
        {"resourceProperties": many("J2EEResourceProperty")},
    ),
    "JMSProvider": Type(
        together(
            _NAMED,
            attributes(TEXT, "externalInitialContextFactory externalProviderURL"),
            attributes(BOOL, "supportsASF"),
        ),
        together(_PROPERTY_SET, {"factories": many("ConnectionFactory")}),
    ),
    "ConnectionFactory": Type(together(_NAMED, attributes(TEXT, "jndiName")), together(_PROPERTY_SET, _POOL_TYPES)),
    "MQQueueConnectionFactory": Type(_MQ_FACTORY, above="ConnectionFactory"),
    "MQTopicConnectionFactory": Type(_MQ_FACTORY, above="ConnectionFactory"),
    "MQConnectionFactory": Type(_MQ_FACTORY, above="ConnectionFactory"),
    "ConnectionPool": Type(
        together(
            attributes(
                LONG,
                "",
                connectionTimeout="180",
                reapTime="180",
                unusedTimeout="1800",
                agedTimeout="0",
            ),
            attributes(INT, "", maxConnections="10", minConnections="1"),
            attributes(PURGE, "", purgePolicy="EntirePool"),
        )
    ),
    "SIBDestination": Type(_BUS_DESTINATION),
    "SIBQueue": Type(attributes(BOOL, "", receiveExclusive="false"), above="SIBDestination"),
    "SIBTopicSpace": Type(attributes(BOOL, "", topicAccessCheckRequired="true"), above="SIBDestination"),
    "SIBPort": Type({}, above="SIBDestination"),
    "SIBWebService": Type({}, above="SIBDestination"),
    "SIBDestinationAlias": Type(
        together(
            attributes(TEXT, "identifier uuid description bus targetIdentifier targetBus"),
            attributes(INHERITED, "", sendAllowed="INHERIT", receiveAllowed="INHERIT"),
        )
    ),
}


def is_a(kind, wanted):
    """Whether a type is another one, or below it."""
    while kind is not None:
        if kind == wanted:
            return True
        kind = TYPES[kind].above
    return False


def all_attributes(kind):
    """The attributes of a type and of those above it."""
    found = {}
    while kind is not None:
        found = together(TYPES[kind].attributes, found)
        kind = TYPES[kind].above
    return found


def all_parts(kind):
    """The parts of a type and of those above it."""
    found = {}
    while kind is not None:
        found = together(TYPES[kind].parts, found)
        kind = TYPES[kind].above
    return found


def is_valid(kind, value):
    """Whether a text is a value of a type of attribute. A variable may stand for all but a value of an enumeration."""
    if isinstance(kind, tuple):
        return value in kind
    if kind == TEXT or (value.startswith("${") and value.endswith("}")):
        return True
    if kind == BOOL:
        return value in ("true", "false")
    limit = 2**31 if kind == INT else 2**63
    try:
        return -limit <= int(value) < limit
    except ValueError:
        return False
