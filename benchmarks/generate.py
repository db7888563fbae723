"""Generated exports in the products' formats: a cell of any size and the dump of its queue manager."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

XMI = 'xmlns:xmi="http://www.omg.org/XMI"'
SCHEMAS = "http://www.ibm.com/websphere/appserver/schemas"
FLOWS_PER_SERVER = 25
STOPS = (("true", 0), ("true", 3), ("true", 6), ("false", 0))
THRESHOLDS = (0, 1, 3, 5)
# An activation specification has a copy of all properties of its resource adapter's template: 72 at MQ 9.0. The others
# stand for what a server's files hold beside messaging: about 34 KB in server.xml and 55 KB in resources.xml.
PROPERTIES_PER_SPEC = 72
CHANNELS, CHAINS = 66, 23
TEMPLATE_PROPERTIES = 190
_FILLER = (
    ("CCSID", "int", "819"), ("acknowledgeMode", "int", "1"), ("applicationName", "java.lang.String", ""),
    ("brokerCCDurSubQueue", "java.lang.String", "SYSTEM.JMS.D.CC.SUBSCRIBER.QUEUE"),
    ("brokerVersion", "java.lang.String", "1"),
    ("cleanupInterval", "java.lang.Long", "3600000"), ("cleanupLevel", "java.lang.String", "SAFE"),
    ("clientId", "java.lang.String", ""), ("cloneSupport", "java.lang.String", "DISABLED"),
    ("failIfQuiesce", "boolean", "true"), ("headerCompression", "java.lang.String", "NONE"),
    ("localAddress", "java.lang.String", ""), ("messageBatchSize", "int", "10"),
    ("messageCompression", "java.lang.String", "NONE"), ("messageRetention", "java.lang.String", "YES"),
    ("messageSelection", "java.lang.String", "CLIENT"), ("pollingInterval", "int", "5000"),
    ("poolTimeout", "int", "300000"),
    ("providerVersion", "java.lang.String", "UNSPECIFIED"), ("readAheadAllowed", "java.lang.String", "DESTINATION"),
    ("receiveExit", "java.lang.String", ""), ("rescanInterval", "int", "5000"),
    ("securityExit", "java.lang.String", ""),
    ("sparseSubscriptions", "boolean", "false"), ("sslCertStores", "java.lang.String", ""),
    ("sslCipherSuite", "java.lang.String", ""), ("sslFipsRequired", "boolean", "false"),
    ("sslPeerName", "java.lang.String", ""),
    ("statusRefreshInterval", "int", "60000"), ("subscriptionDurability", "java.lang.String", "NonDurable"),
    ("subscriptionName", "java.lang.String", ""), ("subscriptionStore", "java.lang.String", "MIGRATE"),
    ("wildcardFormat", "java.lang.String", "TOPIC"),
)  # fmt: skip


def write_cell(
    folder: Path,
    flows: int,
    seed: int = 7,
    *,
    stops: Sequence[tuple[str, int]] = STOPS,
    thresholds: Sequence[int] = THRESHOLDS,
    sound: bool = False,
) -> tuple[Path, Path]:
    """A cell of ``flows`` activation specifications and the dump of their queue manager; some right, some wrong.

    ``stops`` are pairs of stopEndpointIfDeliveryFails and failureDeliveryCount to draw from, ``thresholds`` BOTHRESH.
    With ``sound`` all are right.
    """
    draw = random.Random(seed)
    sessions: Sequence[int] = (1, 5, 10)
    if sound:
        stops, thresholds, sessions = (("false", 0),), (3,), (1,)
    cell = folder / "was" / "cells" / "BENCH"
    _write(
        cell / "cell.xml",
        f'<topology.cell:Cell {XMI} xmlns:topology.cell="{SCHEMAS}/5.0/topology.cell.xmi" name="BENCH"/>\n',
    )
    _write(cell / "resources.xml", f'<xmi:XMI xmi:version="2.0" {XMI}/>\n')
    _write(cell / "variables.xml", f'<variables:VariableMap {XMI} xmlns:variables="{SCHEMAS}/5.0/variables.xmi"/>\n')
    alias = '<authDataEntries xmi:id="A_1" alias="mq" userId="wasuser" password="{xor}LDo8LTor"/>'
    _write(
        cell / "security.xml",
        f'<security:Security {XMI} xmlns:security="{SCHEMAS}/5.0/security.xmi">\n  {alias}\n</security:Security>\n',
    )
    servers = [f"server{number:04}" for number in range((flows + FLOWS_PER_SERVER - 1) // FLOWS_PER_SERVER)]
    entries = "".join(
        f'  <serverEntries xmi:id="E_{s}" serverName="{s}" serverType="APPLICATION_SERVER">\n'
        f"    <deployedApplications>App_{s}.ear/deployments/App_{s}</deployedApplications>\n  </serverEntries>\n"
        for s in servers
    )
    node = cell / "nodes" / "node1"
    _write(
        node / "serverindex.xml",
        f'<serverindex:ServerIndex {XMI} xmlns:serverindex="{SCHEMAS}/5.0/serverindex.xmi" hostName="h">\n{entries}'
        "</serverindex:ServerIndex>\n",
    )
    _write(
        node / "node-metadata.properties",
        "com.ibm.websphere.baseProductVersion=9.0.5.14\ncom.ibm.websphere.nodeOperatingSystem=linux\n",
    )
    for number, server in enumerate(servers):
        names = [
            f"F{index:05}" for index in range(number * FLOWS_PER_SERVER, min((number + 1) * FLOWS_PER_SERVER, flows))
        ]
        _write(node / "servers" / server / "server.xml", _server(server))
        _write(node / "servers" / server / "resources.xml", "".join(_resources(names, draw, stops, sessions)))
        _application(cell / "applications" / f"App_{server}.ear" / "deployments" / f"App_{server}", server, names)
    dump = folder / "mq" / "QM1.mqsc"
    _write(
        dump,
        "".join(queue_manager_dump([f"F{index:05}" for index in range(flows)], draw, thresholds, unnamed=not sound)),
    )
    return folder / "was", dump


def _server(name: str) -> str:
    chains = "".join(
        f'    <transportChannels xmi:type="channelservice.channels:TCPInboundChannel" xmi:id="TCP_{n}" name="TCP_{n}" '
        f'endPointName="P_{n}" maxOpenConnections="20000" inactivityTimeout="60"/>\n'
        for n in range(CHANNELS)
    )
    chains += "".join(
        f'    <chains xmi:id="Chain_{n}" name="WCInboundDefault{n}" enable="true" '
        f'transportChannels="TCPInboundChannel_{n} HTTPInboundChannel_{n} WebContainerInboundChannel_{n}"/>\n'
        for n in range(CHAINS)
    )
    chains += "".join(
        f'    <properties xmi:id="Property_{n}" name="com.ibm.ws.orb.option{n}" value="true" description=""/>\n'
        for n in range(120)
    )
    listener = "applicationserver.ejbcontainer.messagelistener:MessageListenerService"
    return (
        f'<process:Server xmi:version="2.0" {XMI} xmlns:process="{SCHEMAS}/5.0/process.xmi" '
        f'xmi:id="S_1" name="{name}">\n'
        '  <services xmi:type="channelservice:TransportChannelService" xmi:id="T_1" enable="true">\n'
        f"{chains}  </services>\n"
        '  <components xmi:type="applicationserver:ApplicationServer" xmi:id="A_1">\n'
        '    <services xmi:type="applicationserver:TransactionService" xmi:id="X_1" totalTranLifetimeTimeout="120" '
        'propogatedOrBMTTranLifetimeTimeout="300"/>\n'
        '    <components xmi:type="applicationserver.ejbcontainer:EJBContainer" xmi:id="E_1">\n'
        f'      <services xmi:type="{listener}" xmi:id="M_1">\n'
        '        <threadPool xmi:id="P_1" minimumSize="10" maximumSize="50" isGrowable="false"/>\n'
        "      </services>\n    </components>\n  </components>\n</process:Server>\n"
    )


def _resources(
    names: list[str], draw: random.Random, stops: Sequence[tuple[str, int]], sessions: Sequence[int]
) -> Iterator[str]:
    yield (
        f'<xmi:XMI xmi:version="2.0" {XMI} xmlns:resources.j2c="{SCHEMAS}/5.0/resources.j2c.xmi" '
        f'xmlns:resources.jms="{SCHEMAS}/5.0/resources.jms.xmi" '
        f'xmlns:resources.jms.mqseries="{SCHEMAS}/5.0/resources.jms.mqseries.xmi">\n'
        '  <resources.jms:JMSProvider xmi:id="builtin_mqprovider" name="WebSphere MQ JMS Provider">\n'
    )
    for name in names:
        yield (
            f'    <factories xmi:type="resources.jms.mqseries:MQQueue" xmi:id="Q_{name}" name="{name}Q" '
            f'jndiName="jms/q/{name}" persistence="APPLICATION_DEFINED" priority="APPLICATION_DEFINED" '
            'specifiedPriority="0" '
            f'expiry="APPLICATION_DEFINED" specifiedExpiry="0" baseQueueName="{name}.IN" useNativeEncoding="true"/>\n'
        )
    yield (
        "  </resources.jms:JMSProvider>\n"
        '  <resources.j2c:J2CResourceAdapter xmi:id="R_1" name="WebSphere MQ Resource Adapter" '
        'archivePath="${WAS_INSTALL_ROOT}/installedConnectors/wmq.jmsra.rar" threadPoolAlias="WMQJCAResourceAdapter">\n'
        '    <deploymentDescriptor xmi:id="D_1"><resourceAdapter xmi:id="D_2"><inboundResourceAdapter xmi:id="D_3">'
        '<messageAdapter xmi:id="D_4"><messageListeners xmi:id="D_5"><activationSpec xmi:id="AS_1" '
        'activationSpecClass="com.ibm.mq.connector.inbound.ActivationSpecImpl"/></messageListeners></messageAdapter>'
        "</inboundResourceAdapter></resourceAdapter></deploymentDescriptor>\n"
        '    <activationSpecTemplateProps xmi:id="AT_1" activationSpec="AS_1">\n'
    )
    for number in range(TEMPLATE_PROPERTIES):
        yield (
            f'      <resourceProperties xmi:id="J2EEResourceProperty_11835{number:08}" name="templateProperty{number}" '
            'type="java.lang.String" value="SYSTEM.JMS.ADMIN.QUEUE" required="false" ignore="false" '
            'confidential="false" supportsDynamicUpdates="false"/>\n'
        )
    yield "    </activationSpecTemplateProps>\n"
    for name in names:
        stop, count = draw.choice(stops)
        packed = f"was_stopEndpointIfDeliveryFails=&quot;{stop}&quot;,was_failureDeliveryCount=&quot;{count}&quot;"
        own = (
            ("destination", "java.lang.String", f"jms/q/{name}"),
            ("destinationType", "java.lang.String", "javax.jms.Queue"),
            ("useJNDI", "boolean", "true"),
            ("maxPoolDepth", "int", str(draw.choice(sessions))),
            ("queueManager", "java.lang.String", "QM1"),
            ("transportType", "java.lang.String", "CLIENT"),
            ("channel", "java.lang.String", "WAS.SVRCONN"),
            ("nonASFTimeout", "int", "0"),
            ("nonASFRollbackEnabled", "boolean", "true"),
            ("arbitraryProperties", "java.lang.String", packed),
        )
        yield (
            f'    <j2cActivationSpec xmi:id="J_{name}" name="{name}AS" jndiName="jms/as/{name}" description="" '
            'authenticationAlias="mq" activationSpec="AS_1">\n'
        )
        more = tuple(
            (f"property{n}", "java.lang.String", "") for n in range(PROPERTIES_PER_SPEC - len(own) - len(_FILLER))
        )
        for key, kind, value in (*own, *_FILLER, *more):
            yield (
                f'      <resourceProperties xmi:id="J2EEResourceProperty_{name}_{key}" name="{key}" type="{kind}" '
                f'value="{value}" required="false"/>\n'
            )
        yield "    </j2cActivationSpec>\n"
    yield "  </resources.j2c:J2CResourceAdapter>\n</xmi:XMI>\n"


def _application(folder: Path, server: str, names: list[str]) -> None:
    target = f'<deploymentTargets xmi:type="appdeployment:ServerTarget" xmi:id="T_1" name="{server}" nodeName="node1"/>'
    _write(
        folder / "deployment.xml",
        f'<appdeployment:Deployment {XMI} xmlns:appdeployment="{SCHEMAS}/5.0/appdeployment.xmi">\n'
        '  <deployedObject xmi:type="appdeployment:ApplicationDeployment" xmi:id="O_1">\n'
        '    <modules xmi:type="appdeployment:EJBModuleDeployment" xmi:id="M_1" uri="m.jar">'
        '<targetMappings xmi:id="X_1" target="T_1"/></modules>\n'
        f"  </deployedObject>\n  {target}\n</appdeployment:Deployment>\n",
    )
    beans = "".join(
        f'    <message-driven id="{n}_ID"><ejb-name>{n}Bean</ejb-name><ejb-class>x.{n}Bean</ejb-class>'
        "<transaction-type>Container</transaction-type></message-driven>\n"
        for n in names
    )
    _write(
        folder / "m.jar" / "META-INF" / "ejb-jar.xml",
        '<ejb-jar xmlns="http://java.sun.com/xml/ns/javaee" version="3.1" metadata-complete="true">\n'
        f"  <enterprise-beans>\n{beans}  </enterprise-beans>\n</ejb-jar>\n",
    )
    bindings = "".join(
        f'  <message-driven name="{n}Bean"><jca-adapter activation-spec-binding-name="jms/as/{n}"/></message-driven>\n'
        for n in names
    )
    _write(
        folder / "m.jar" / "META-INF" / "ibm-ejb-jar-bnd.xml",
        f'<ejb-jar-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">\n{bindings}</ejb-jar-bnd>\n',
    )


_QUEUE = """\
   ACCTQ(QMGR) +
*  ALTDATE(2026-02-11) +
*  ALTTIME(09.14.02) +
   BOQNAME('{boq}') +
   BOTHRESH({threshold}) +
   CLUSNL(' ') +
   CLUSTER(' ') +
   CLCHNAME(' ') +
   CLWLPRTY(0) +
   CLWLRANK(0) +
   CLWLUSEQ(QMGR) +
*  CRDATE(2024-05-{day:02}) +
*  CRTIME(10.{minute:02}.44) +
   CUSTOM(' ') +
   DEFBIND(OPEN) +
   DEFPRTY(0) +
   DEFPSIST(YES) +
   DEFPRESP(SYNC) +
   DEFREADA(NO) +
   DEFSOPT(SHARED) +
   DEFTYPE(PREDEFINED) +
   DESCR('{description}') +
   DISTL(NO) +
   GET(ENABLED) +
   HARDENBO +
   IMGRCOVQ(QMGR) +
   INITQ(' ') +
   MAXDEPTH(5000) +
   MAXMSGL(4194304) +
   MONQ(QMGR) +
   MSGDLVSQ(PRIORITY) +
   NOTRIGGER +
   NPMCLASS(NORMAL) +
   PROCESS(' ') +
   PROPCTL(COMPAT) +
   PUT(ENABLED) +
   QDEPTHHI(80) +
   QDEPTHLO(20) +
   QDPHIEV(DISABLED) +
   QDPLOEV(DISABLED) +
   QDPMAXEV(ENABLED) +
   QSVCIEV(NONE) +
   QSVCINT(999999999) +
   RETINTVL(999999999) +
   SCOPE(QMGR) +
   SHARE +
   STATQ(QMGR) +
   TRIGDATA(' ') +
   TRIGDPTH(1) +
   TRIGMPRI(0) +
   TRIGTYPE(FIRST) +
   USAGE(NORMAL) +
   REPLACE
"""


def queue_manager_dump(
    flows: list[str], draw: random.Random, thresholds: Sequence[int] = THRESHOLDS, *, unnamed: bool = True
) -> Iterator[str]:
    """A ``dmpmqcfg -a`` dump with an input and a backout queue for each flow, and authority records.

    ``unnamed``: some input queues name no backout queue.
    """
    yield (
        f"{'*' * 79}\n* Script generated on 2026-03-06   at 09.14.02 \n* Queue manager name: QM1 \n"
        "* Queue manager platform: UNIX \n* Queue manager command level: (930/930) \n"
        f"* Command issued: dmpmqcfg -m QM1 -a \n{'*' * 79}\n"
        "ALTER QMGR +\n   DEADQ('QM1.DEAD') +\n*  PLATFORM(UNIX) +\n   FORCE\n"
        "DEFINE CHANNEL('WAS.SVRCONN') +\n   CHLTYPE(SVRCONN) +\n   MAXINST(999999999) +\n   MAXINSTC(999999999) +\n"
        "   SHARECNV(10) +\n   REPLACE\n"
    )
    for name in ["QM1.DEAD", *(n for flow in flows for n in (f"{flow}.IN", f"{flow}.BACKOUT"))]:
        inbound = name.endswith(".IN")
        body = _QUEUE.format(
            boq=draw.choice((name.replace(".IN", ".BACKOUT"), " ")[: 1 + unnamed]) if inbound else " ",
            threshold=draw.choice(thresholds) if inbound else 0,
            day=draw.randrange(1, 29),
            minute=draw.randrange(60),
            description=f"queue of team {draw.randrange(40)}",
        )
        yield f"DEFINE QLOCAL('{name}') +\n{body}"
        for group in ("mqm", "wasgrp"):
            yield (
                f"SET AUTHREC +\n   PROFILE('{name}') +\n   GROUP('{group}') +\n   OBJTYPE(QUEUE) +\n"
                "   AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)\n"
            )
    yield f"{'*' * 79}\n* Script ended on 2026-03-06   at 09.14.05 \n{'*' * 79}\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
