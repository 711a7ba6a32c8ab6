// SPDX-License-Identifier: Apache-2.0
// What is asked for, and what would be answered.

#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "tests/views/panelsupport.h"
#include "views/look.h"
#include "views/panels/firebar.h"
#include "views/panels/inspector.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace Qt::StringLiterals;
using namespace instar;
using namespace instar::panels;

namespace {

/// A fire bar on a sample, and what is selected.
struct Lab
{
    std::unique_ptr<Simulator> simulator;
    Selection selection;
    FireBar bar { *simulator, selection };

    explicit Lab(const QString &path = {}, const QString &pack = builtInPacks().first())
        : simulator(sample(pack))
    {
        selection.choose(path);
    }
};

class TestFireBar : public QObject
{
    Q_OBJECT

private slots:
    void preselectsWhatIsTaken();
    void admissionLine();
    void tellsWhatHappensAtOnce_data() { namesAreNotCut_data(); }
    void tellsWhatHappensAtOnce();
    void protectedIsNamed();
    void remedies();
    void calmAfterSuccess();
    void fireBarDescribes();
    void serverDecides_data();
    void serverDecides();
    void blockedByWhatIsAsked();
    void bodyStaysWithItsTarget();
    void brokenBody_data();
    void brokenBody();
    void chosenDurationStays();
    void ruleInSight();
    void newResource();
    void noTarget();
    void nothingStaysBesideAProblem();
    void nothingToAskFor();
    void namesAreNotCut_data() { addRowsOf("id", builtInPacks()); }
    void namesAreNotCut();
    void onlyOwnOperations();
};

/// Of a resource that is at work something that would be taken is offered, if there is anything.
void TestFireBar::preselectsWhatIsTaken()
{
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    const QString first = bar.operation();
    bar.preselect();
    QCOMPARE(bar.operation(), first); // it would be accepted
    bar.setOperation(u"DELETE"_s);
    bar.preselect();
    QCOMPARE(bar.operation(), u"DELETE"_s); // as would this
    bar.setOperation(first);
    // A sibling is in the way of whatever changes something.
    simulator->submit({ .op = first, .path = subnet });
    simulator->updates().flush();
    selection.choose(sibling);
    QVERIFY2(bar.verdictText().startsWith(u"refused"), qPrintable(bar.verdictText()));
    bar.preselect();
    QVERIFY2(!bar.verdictText().startsWith(u"refused"), qPrintable(bar.verdictText()));
    QVERIFY(bar.operation() != first);
    // Where all would be refused nothing is chosen for anybody.
    selection.choose(u"/logicalNetworks/none/subnets/none"_s);
    bar.setOperation(first);
    QVERIFY2(bar.verdictText().startsWith(u"refused"), qPrintable(bar.verdictText()));
    const QString before = bar.operation();
    bar.preselect();
    QCOMPARE(bar.operation(), before);
    // A draft takes one operation only, which is not the first one. One that was chosen stays.
    Lab review { {}, u":/instar/templates/4-review.json"_s };
    QVERIFY(review.bar.operation() != u"submit"_s);
    review.selection.choose(u"/requests/2"_s);
    QCOMPARE(review.bar.operation(), u"submit"_s);
    review.bar.setOperation(u"merge"_s);
    review.selection.choose(u"/requests/2"_s);
    QCOMPARE(review.bar.operation(), u"merge"_s);
}

/// A pack that is only begun refuses nothing.
void TestFireBar::nothingToAskFor()
{
    Pack pack = *loadPack(u":/instar/templates/1-empty.json"_s);
    pack.operations.clear();
    pack.machines[0].transitions.clear();
    const Rules rules = valueOf(Rules::make(pack));
    Loaded loaded = makeWorld(rules, pack.sample);
    Simulator simulator(rules, std::move(loaded.world));
    Selection selection;
    FireBar bar(simulator, selection);
    selection.choose(u"/things/one"_s);
    QCOMPARE(bar.verdictText(), u"The pack has no operations yet."_s);
    QVERIFY(!button<QPushButton>(bar, u"Fire"_s)->isEnabled());
}

void TestFireBar::namesAreNotCut()
{
    QFETCH(QString, id);
    Lab lab { {}, id };
    auto &[simulator, selection, bar] = lab;
    bar.resize(1250, 60);
    bar.show();
    const auto *box = named<QComboBox>(bar, u"Operation"_s);
    for (const QString &name : simulator->rules().pack().operationNames())
        QVERIFY2(box->fontMetrics().horizontalAdvance(name) + 24 <= box->width(), qPrintable(name));
}

/// What the target's type does not accept is not offered, and can be asked for by name all the
/// same; what would be refused now is grey and says why.
void TestFireBar::onlyOwnOperations()
{
    Lab lab { {}, u"blazar"_s };
    auto &[simulator, selection, bar] = lab;
    const auto *box = named<QComboBox>(bar, u"Operation"_s);
    const auto own = [&] {
        QStringList names;
        for (int i = 0; i < box->count() && !box->itemText(i).isEmpty(); ++i)
            names += box->itemText(i);
        return names;
    };
    const Resource lease = simulator->world().tree.resources().front();
    const QString path = simulator->world().tree.path(lease);
    selection.choose(path);
    QVERIFY2(own().contains(u"update_lease"_s) && !own().contains(u"on_start"_s),
        qPrintable(own().join(u' ')));
    QVERIFY2(bar.verdictText().startsWith(u"accepted"), qPrintable(bar.verdictText()));
    bar.setOperation(u"on_start"_s);
    QCOMPARE(bar.operation(), u"on_start"_s);
    QVERIFY2(bar.verdictText().startsWith(u"refused"), qPrintable(bar.verdictText()));
    // Each type has its own; what was chosen stays where it is accepted.
    bar.showTarget(path + u"/reservations/any"_s);
    QCOMPARE(bar.operation(), u"on_start"_s);
    QVERIFY2(own().contains(u"on_start"_s) && !own().contains(u"update_lease"_s),
        qPrintable(own().join(u' ')));
    selection.choose(path);
    bar.showTarget(path);
    QVERIFY2(own().contains(bar.operation()), qPrintable(bar.operation()));
    simulator->submit({ .op = u"update_lease"_s, .path = path });
    auto *shown = named<QComboBox>(bar, u"Operation"_s);
    bar.show();
    shown->showPopup();
    const int again = shown->findText(u"update_lease"_s);
    QVERIFY(!shown->itemData(again, Qt::ToolTipRole).toString().isEmpty());
    shown->hidePopup();
    // Of a type that the pack does not have all are offered.
    bar.showTarget(u"/nothing/x"_s);
    QCOMPARE(own(), simulator->rules().pack().operationNames());
}

void TestFireBar::admissionLine()
{
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    QVERIFY(begins(
        bar.verdictText(), u"accepted. Moves Rack-1 to Updating, and Transit, Pool-A, Pool-B."_s));

    // The same resource: the newer PUT takes over.
    simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = u"first"_s });
    simulator->updates().flush();
    QVERIFY(
        begins(bar.verdictText(), u"accepted. Moves Rack-1 to Updating; cancels PUT on Rack-1."_s));
    QVERIFY(bar.verdictText().contains(simulator->rules().pack().conflicts.first().about));

    // A sibling is in the way, and the line names code, message and rule before anything is fired.
    selection.choose(sibling);
    QVERIFY(begins(bar.verdictText(),
        u"refused with 409 AnotherOperationInProgress: conflicts with PUT on Rack-1"_s));
    QVERIFY2(bar.verdictText().contains(u"R9"_s), qPrintable(bar.verdictText()));
    QCOMPARE(simulator->records().size(), 1);

    // It follows what happens.
    QVERIFY(simulator->runUntilQuiet());
    simulator->updates().flush();
    QVERIFY2(bar.verdictText().startsWith(u"accepted"), qPrintable(bar.verdictText()));
    simulator->jump(1);
    QVERIFY2(bar.verdictText().startsWith(u"refused"), qPrintable(bar.verdictText()));

    selection.choose(u"/logicalNetworks/none/subnets/none"_s);
    QVERIFY(begins(bar.verdictText(), u"refused with 404 NotFound"_s));
}

/// The bar counts the resources that change state with the request, and tells of a failure at once.
void TestFireBar::tellsWhatHappensAtOnce()
{
    QFETCH(QString, id);
    static const QRegularExpression others(
        u"^accepted\\. .*?, and (?:(\\S+) other resources?|(.+?))[.;]( |$)"_s);
    const auto states = [](const Simulator &simulator) {
        QMap<QString, Code> codes;
        const Tree &tree = simulator.world().tree;
        for (const Resource resource : tree.resources())
            codes.insert(tree.path(resource), tree.code(resource));
        return codes;
    };
    int counted = 0;
    const Pack rows = sample(id)->rules().pack();
    for (const ResourceSpec &resource : rows.sample) {
        for (const QString &operation : rows.operationNames()) {
            Lab lab(resource.path, id);
            lab.bar.setOperation(operation);
            const QString text = lab.bar.verdictText();
            const auto before = states(*lab.simulator);
            lab.bar.fire();
            const auto after = states(*lab.simulator);
            const Operation *fired = lab.simulator->operations().find(1);
            if (!fired || !text.startsWith(u"accepted"))
                continue;
            const QString what = operation + u' ' + resource.path + u": "_s + text;
            QVERIFY2((fired->status == Status::Failed) == text.contains(u"fails at once"),
                qPrintable(what));
            qsizetype changed = 0;
            for (auto it = before.begin(); it != before.end(); ++it)
                changed += it.key() != resource.path && after.value(it.key()) != *it;
            const auto told = others.match(text);
            const qsizetype few = told.captured(2).split(u", "_s, Qt::SkipEmptyParts).size();
            QCOMPARE_LE(few, 3);
            if (fired->status != Status::Failed)
                QVERIFY2(changed == told.captured(1).toInt() + few,
                    qPrintable(what + u' ' + QString::number(changed)));
            counted += changed > 0;
        }
    }
    QVERIFY(counted > 0 || id == u"aps"_s); // its requests begin with a synchronous phase
}

/// An operation fails because of a required one: the line names the resource that failed first.
void TestFireBar::protectedIsNamed()
{
    Lab lab(u"/resources/network"_s, u"pulumi"_s);
    lab.bar.setOperation(u"delete"_s);
    QVERIFY2(lab.bar.verdictText().contains(u"database"_s), qPrintable(lab.bar.verdictText()));
    lab.bar.fire();
    const QString answer = answerText(*lab.simulator, 1);
    const Operation &first = *lab.simulator->operations().find(3);
    QCOMPARE(first.path, u"/resources/database"_s);
    QVERIFY2(answer.contains(u"operation:3"_s) && answer.contains(first.errorMessage),
        qPrintable(answer));
}

/// A refusal names what helps, and offers to wait only if waiting helps.
void TestFireBar::remedies()
{
    const QString lease = u"/leases/workshop"_s;
    const auto answer = [&](const QStringList &operations, const QString &path) {
        const auto simulator = sample(u"blazar"_s);
        quint32 last = 0;
        for (const QString &operation : operations)
            last = simulator->submit({ .op = operation, .path = path });
        return answerText(*simulator, last);
    };
    const QString update = u"update_lease"_s, start = u"start_lease"_s, gone = u"delete_lease"_s;
    QVERIFY(has(answer({ update, update }, lease), { u"again:2"_s, u"cancel:1"_s }));
    const QString late = answer({ gone, update }, lease);
    QVERIFY(has(late, { u"404 NotFound"_s, u"with create_lease"_s, u"cancel:1"_s }));
    QVERIFY2(!late.contains(u"again:"_s), qPrintable(late));
    QVERIFY(has(answer({ gone }, u"/leases/none"_s), { u"with create_lease"_s }));
    QVERIFY(has(answer({ u"create_lease"_s }, lease), { u"Choose a new name."_s }));
    QVERIFY(has(answer({ start }, lease), { u"Only the lease's start event starts it"_s }));
    QVERIFY(has(answer({ start }, u"/leases/rendering"_s), { u"in the states PENDING."_s }));
    const auto simulator = sample(u"pulumi"_s);
    simulator->submit({ .op = u"delete"_s, .path = u"/resources/database"_s });
    QVERIFY(has(answerText(*simulator, 1), { u"the property protect"_s }));
}

/// A request that was just accepted shows no alarm colour, although it would be refused now.
void TestFireBar::calmAfterSuccess()
{
    Lab lab(u"/leases/workshop"_s, u"blazar"_s);
    auto &[simulator, selection, bar] = lab;
    const auto tone = [&] { return bar.preview()->property("tone").toString(); };
    bar.setOperation(u"update_lease"_s);
    bar.fire();
    simulator->updates().flush();
    QVERIFY(begins(bar.verdictText(), u"refused"_s));
    QCOMPARE(tone(), u"accepted"_s);
    named<QComboBox>(bar, u"Client"_s)->setCurrentText(u"B"_s);
    QCOMPARE(tone(), u"refused"_s);
}

void TestFireBar::fireBarDescribes()
{
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    bar.setOperation(u"DELETE"_s);
    QTest::keyClicks(named<QComboBox>(bar, u"Client"_s)->lineEdit(), u"2"_s);
    named<QComboBox>(bar, u"Outcome"_s)->setCurrentText(u"failed"_s);
    bar.findChild<QToolButton *>(u"more"_s)->click();
    named<QComboBox>(bar, u"If-Match"_s)->setCurrentText(u"current etag"_s);
    named<QLineEdit>(bar, u"Request id"_s)->setText(u"r-1"_s);

    const Request request = bar.request();
    QCOMPARE(request.op, u"DELETE"_s);
    QCOMPARE(request.path, subnet);
    QCOMPARE(request.client, u"A2"_s);
    QCOMPARE(request.outcome, u"failed"_s);
    QCOMPARE(request.requestId, u"r-1"_s);
    QCOMPARE(request.ifMatch, etag(simulator->world(), simulator->world().tree.find(subnet)));
    QCOMPARE(bar.findChild<QToolButton *>(u"more"_s)->text(), u"Options (3)"_s);
    QVERIFY(!request.hang);

    named<QComboBox>(bar, u"Outcome"_s)->setCurrentText(u"decide by hand"_s);
    QVERIFY(bar.request().hang);
    QCOMPARE(bar.request().outcome, QString());

    named<QComboBox>(bar, u"If-Match"_s)->setCurrentText(u"W/\"stale\""_s);
    QVERIFY2(bar.verdictText().startsWith(u"refused with 412"), qPrintable(bar.verdictText()));
}

void TestFireBar::serverDecides_data()
{
    QTest::addColumn<QString>("pack");
    QTest::addColumn<bool>("namesRequests"); ///< its requests have a header for their id
    QTest::newRow("ids, no conditions") << u"network-controller"_s << true;
    QTest::newRow("conditions, no ids") << u"pulumi"_s << false;
}

/// Simulator that the panels take for a real server.
struct AtServer : Simulator
{
    using Simulator::Simulator;
    bool isLocal() const override { return false; }
};

/// What a real server would never hear of is not offered, and not sent.
void TestFireBar::serverDecides()
{
    QFETCH(const QString, pack);
    QFETCH(const bool, namesRequests);
    const auto local = sample(pack);
    AtServer remote(local->rules(), local->world());
    for (Controller *controller :
        { static_cast<Controller *>(local.get()), static_cast<Controller *>(&remote) }) {
        const bool plans = controller->isLocal();
        Selection selection;
        FireBar bar(*controller, selection);
        const Tree &tree = controller->world().tree;
        selection.choose(tree.path(tree.at(tree.branches().first(), 0)));
        bar.show();
        auto *more = bar.findChild<QToolButton *>(u"more"_s);
        more->click();
        auto *failures = named<QSpinBox>(bar, u"Transient failures"_s);
        auto *requestId = named<QLineEdit>(bar, u"Request id"_s);
        failures->setValue(3);
        requestId->setText(u"r-1"_s);
        const QList<QCheckBox *> conditions = bar.findChildren<QCheckBox *>();
        QCOMPARE(conditions.size(), controller->rules().openLabels().size());
        for (QCheckBox *box : conditions) {
            box->setChecked(true);
            QCOMPARE(box->isVisible(), plans);
        }
        QCOMPARE(failures->isVisible(), plans);
        QCOMPARE(requestId->isVisible(), plans || namesRequests);
        QCOMPARE(bar.findChild<QLabel *>(u"decides"_s)->isVisible(), !plans);
        const Request request = bar.request();
        QCOMPARE(request.transientFailures, plans ? 3 : 0);
        QCOMPARE(request.conditions.size(), plans ? conditions.size() : 0);
        QCOMPARE(request.requestId, plans || namesRequests ? u"r-1"_s : QString());
        if (!plans)
            QCOMPARE(more->text(), namesRequests ? u"Options (1)"_s : u"Options"_s);
        QCOMPARE(more->toolTip().contains(u"failures"_s), plans);
    }
}

/// One operation may be kept back while another may be fired.
void TestFireBar::blockedByWhatIsAsked()
{
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    bool isBlocked = true;
    int asked = 0;
    bar.setGuard([&](const Request &) {
        ++asked;
        return !isBlocked;
    });
    bar.setWhyBlocked([&](const Request &request) {
        return isBlocked && request.op != u"GET" ? u"not now"_s : QString();
    });
    const auto *fire = bar.findChild<QPushButton *>(u"primary"_s);
    QVERIFY(begins(bar.verdictText(), u"not now. Once that is solved: accepted"_s));
    QVERIFY(!fire->isEnabled());
    QVERIFY(bar.findChild<QPushButton *>(u"arm"_s)->isEnabled());
    bar.fire();
    QCOMPARE(asked, 1); // it says why
    QCOMPARE(simulator->records().size(), 0);
    bar.setOperation(u"GET"_s);
    QVERIFY(fire->isEnabled());
    QVERIFY(!bar.verdictText().contains(u"not now"_s));
    bar.setOperation(u"PUT"_s);
    QVERIFY(!fire->isEnabled());
    isBlocked = false;
    bar.refreshBlocked();
    QVERIFY(fire->isEnabled());
    bar.fire();
    QCOMPARE(simulator->records().size(), 1);
}

void TestFireBar::bodyStaysWithItsTarget()
{
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    auto *body = named<QPlainTextEdit>(bar, u"Body"_s);
    body->setPlainText(u"{\"properties\": {\"vlanId\": \"7\"}}"_s);
    named<QLineEdit>(bar, u"References"_s)->setText(net);
    named<QComboBox>(bar, u"If-Match"_s)->setCurrentText(u"W/\"1\""_s);
    const Request first = bar.request();
    QVERIFY(!first.body.isEmpty());
    QCOMPARE(bar.findChild<QToolButton *>(u"more"_s)->text(), u"Options (3)"_s);

    selection.choose(sibling);
    const Request second = bar.request();
    QCOMPARE(second.body, QByteArray());
    QCOMPARE(second.properties, QJsonObject());
    QCOMPARE(second.references, QStringList());
    QCOMPARE(second.ifMatch, QString());
    QCOMPARE(bar.findChild<QToolButton *>(u"more"_s)->text(), u"Options"_s);
    body->setPlainText(u"{}"_s);

    selection.choose(subnet); // what was typed for it is still there
    QCOMPARE(bar.request(), first);
    selection.choose(sibling);
    QCOMPARE(bar.request().body, "{}");

    // A name that is still being typed is the same new resource; a new parent is another one.
    bar.describeNew(net);
    QCOMPARE(bar.request().body, QByteArray());
    body->setPlainText(u"{}"_s);
    QTest::keyClicks(named<QLineEdit>(bar, u"Name of the new resource"_s), u"x"_s);
    QCOMPARE(bar.request().body, "{}");
    named<QLineEdit>(bar, u"Parent of the new resource"_s)->setText(u"/logicalNetworks/HNVPA"_s);
    QCOMPARE(bar.request().body, QByteArray());
}

void TestFireBar::brokenBody_data()
{
    // said: empty: it is no matter
    const Rows<QString, QString, QString> row("op", "body", "said");
    row("garbage", u"PUT"_s, u"garbage"_s, u"line 1, column 1"_s);
    row("third line", u"PUT"_s, u"{\n\"a\": 1,\n}"_s, u"line 3"_s);
    row("list", u"PUT"_s, u"[1]"_s, u"line 1: expected an object, found"_s);
    row("object", u"PUT"_s, u"{\"a\": 1}"_s, {});
    row("not read", u"DELETE"_s, u"garbage"_s, {});
}

void TestFireBar::brokenBody()
{
    QFETCH(const QString, op);
    QFETCH(const QString, body);
    QFETCH(const QString, said);
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    bar.setOperation(op);
    named<QPlainTextEdit>(bar, u"Body"_s)->setPlainText(body);
    bar.fire();
    QCOMPARE(simulator->records().size(), said.isEmpty() ? 1 : 0);
    if (said.isEmpty())
        return;
    QVERIFY(begins(bar.verdictText(), u"refused: the body is not a JSON object"_s));
    QVERIFY2(bar.verdictText().contains(said), qPrintable(bar.verdictText()));
    QVERIFY(!bar.findChild<QPushButton *>(u"primary"_s)->isEnabled());
    QVERIFY(!bar.findChild<QPushButton *>(u"arm"_s)->isEnabled());
}

void TestFireBar::chosenDurationStays()
{
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    const qint64 usual = *bar.request().duration;
    bar.setOperation(u"DELETE"_s);
    QCOMPARE(*bar.request().duration,
        simulator->rules().duration(simulator->rules().trigger(u"DELETE"_s)));
    named<QSpinBox>(bar, u"Duration of an attempt"_s)->setValue(8000);
    bar.setOperation(u"PUT"_s);
    QCOMPARE(*bar.request().duration, 8000);
    named<QSpinBox>(bar, u"Duration of an attempt"_s)->setValue(int(usual));
    bar.setOperation(u"DELETE"_s);
    QCOMPARE(*bar.request().duration,
        simulator->rules().duration(simulator->rules().trigger(u"DELETE"_s)));
}

void TestFireBar::ruleInSight()
{
    Lab lab;
    auto &[simulator, selection, bar] = lab;
    simulator->submit({ .op = u"PUT"_s, .path = subnet });
    simulator->updates().flush();
    selection.choose(sibling);
    bar.resize(1264, bar.sizeHint().height());
    bar.show();
    const auto *sources = bar.findChild<QLabel *>(u"verdictSources"_s);
    QVERIFY2(sources->text().contains(u"source:R9"), qPrintable(sources->text()));
    QVERIFY(sources->isVisible());
    const auto *text = bar.findChild<QLabel *>(u"forecast"_s);
    QVERIFY2(text->toolTip().startsWith(text->text() + u'\n'), qPrintable(text->toolTip()));
    const int height = bar.sizeHint().height();
    selection.choose(u"/logicalNetworks/HNVPA"_s);
    QCOMPARE(bar.sizeHint().height(), height); // nothing below it jumps
    bar.resize(400, height);
    QCOMPARE(bar.sizeHint().height(), height);
}

void TestFireBar::newResource()
{
    Lab lab { subnet };
    auto &[simulator, selection, bar] = lab;
    bar.describeNew(net);
    QCOMPARE(named<QComboBox>(bar, u"Type of the new resource"_s)->currentText(), u"subnets"_s);
    QCOMPARE(bar.request().path, net + u"/subnets/new-1"_s);
    QVERIFY2(
        bar.verdictText().startsWith(u"accepted. Creates new-1"), qPrintable(bar.verdictText()));
    named<QLineEdit>(bar, u"Name of the new resource"_s)->clear();
    QTest::keyClicks(named<QLineEdit>(bar, u"Name of the new resource"_s), u"mine"_s);
    QSignalSpy fired(&bar, &FireBar::fired);
    bar.fire();
    QCOMPARE(fired.size(), 1);
    QCOMPARE(fired[0][1].toString(), net + u"/subnets/mine"_s);
    QVERIFY(simulator->world().tree.find(net + u"/subnets/mine"_s) != NoResource);
    QCOMPARE(bar.request().path, net + u"/subnets/mine"_s); // the bar now speaks of what is there

    bar.describeNew({});
    QVERIFY(named<QComboBox>(bar, u"Type of the new resource"_s)->count() > 10);
}

void TestFireBar::noTarget()
{
    Lab lab;
    auto &[simulator, selection, bar] = lab;
    QVERIFY(!bar.findChild<QPushButton *>(u"primary"_s)->isEnabled());
    bar.fire();
    QCOMPARE(simulator->records().size(), 0);
    QVERIFY(bar.verdictText().contains(u"Select a resource"));
}

void TestFireBar::nothingStaysBesideAProblem()
{
    const auto simulator = sample();
    simulator->submit({ .op = u"PUT"_s, .path = subnet, .id = u"first"_s });
    simulator->updates().flush();
    Selection selection;
    FireBar bar(*simulator, selection);
    const QString nothing = bar.verdictText();
    selection.choose(sibling); // refused, for a reason and by a rule
    QVERIFY(bar.verdictText().contains(u"R9"_s));
    selection.choose(QString());
    QCOMPARE(bar.verdictText(), nothing);
}

} // namespace

const instar::TestClass<TestFireBar, QApplication> registered;
#include "tst_firebar.moc"
