// SPDX-License-Identifier: Apache-2.0
#include "model/conformance/round.h"
#include "model/engine/scenario.h"
#include "model/json/historytext.h"
#include "model/json/packfile.h"
#include "tests/support/bruteforce.h"
#include "tests/support/property.h"
#include "tests/support/recording.h"
#include "tests/support/testclass.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace instar;

class TestJudgement : public QObject
{
    Q_OBJECT

private slots:
    void verdicts_data();
    void verdicts();
    void violation();
    void blames_data();
    void blames();
    void orderIsThatOfTime();
    void budget();
    void collisionsBefore();
    void knownSituationsTakeTime();
    void nothingJudged();
    void replayed();
    void asLines();
    void statesOfTheServer();
    void readings();
    void parts();
    void recordingsConform();
    void everyOrderTried();
    void oneStateChanged();
};

namespace {

using Ended = HistorySearch::Outcome;

History historyOf(const QByteArray &lines, const Pack &pack)
{
    return *readHistory(lines, u"h"_s, pack);
}

HistoryVerdict judged(const History &history, const Rules &rules, const Budget &budget = {})
{
    return *verdictOn(history, rules, budget);
}

const QByteArray Networks =
    R"({"history": 1, "resources": [{"path": "/logicalNetworks/n"}, {"path": "/logicalNetworks/n/subnets/s"}, {"path": "/logicalNetworks/m"}]})"
    "\n";

constexpr auto Accepted = R"({"accepted": true})";

QByteArray asked(const QByteArray &id, const QByteArray &op, const QByteArray &path,
    const QByteArray &times, const QByteArray &answer = Accepted)
{
    const QList<QByteArray> parts = times.split(' ');
    const QByteArray answered = parts.size() > 1 ? R"(, "answered": )" + parts[1] : QByteArray();
    return R"({"request": ")" + id + R"(", "op": ")" + op + R"(", "path": "/logicalNetworks/)"
        + path + R"(", "sent": )" + parts[0] + answered + R"(, "answer": )" + answer + "}\n";
}

QByteArray seen(const QByteArray &path, const QByteArray &times, const QByteArray &state,
    const QByteArray &etag = {})
{
    const QList<QByteArray> parts = times.split(' ');
    return R"({"seen": "/logicalNetworks/)" + path + R"(", "from": )" + parts[0] + R"(, "to": )"
        + parts[1] + R"(, "state": )" + (state == "null" ? state : '"' + state + '"')
        + (etag.isEmpty() ? QByteArray() : R"(, "etag": ")" + etag + '"') + "}\n";
}

QByteArray stood(const QByteArray &id, const QByteArray &times, const QByteArray &status)
{
    const QList<QByteArray> parts = times.split(' ');
    return R"({"operation": ")" + id + R"(", "from": )" + parts[0] + R"(, "to": )" + parts[1]
        + R"(, "status": ")" + status + "\"}\n";
}

/// What was seen in one answer.
QByteArray together(QByteArray lines)
{
    return lines.replace("}\n", ", \"snapshot\": 1}\n");
}

/// On the network controller, after the header.
HistoryVerdict judgedLines(const QByteArray &lines, const Budget &budget = {})
{
    const Pack &pack = packNamed(u"network-controller"_s);
    return judged(historyOf(Networks + lines, pack), rulesOf(pack), budget);
}

constexpr auto Lost = R"({"lost": true})";
constexpr auto Busy = R"({"refused": "AnotherOperationInProgress"})";

std::string whatHappened(
    const Playground &ground, const Recorded &recording, const HistoryVerdict &verdict)
{
    return (QString::fromUtf8(writePack(ground.rules.pack()))
        + QString::fromUtf8(writeHistory(recording.history)) + recording.truth
        + verdictText(verdict, u"random"_s))
        .toStdString();
}

/// Another word, status or answer than there was.
void spoil(const Playground &ground, History &history)
{
    const int which = below(int(history.size()));
    if (which < history.requests.size()) {
        RecordedRequest &asked = history.requests[which];
        if (asked.answer == RecordedRequest::Answer::Lost)
            return;
        const bool was = asked.answer == RecordedRequest::Answer::Accepted;
        asked.answer = was ? RecordedRequest::Answer::Refused : RecordedRequest::Answer::Accepted;
        asked.code = was ? u"Occupied"_s : QString();
        return;
    }
    Observation &seen = history.observations[which - history.requests.size()];
    if (!seen.isOfResource()) {
        seen.word = statusName(Status(below(6)));
        return;
    }
    const int machine = ground.rules.machineForType(typePathOf(seen.path));
    QStringList words;
    for (const Rules::StateRule &state : ground.rules.states()) {
        if (state.machine == machine && state.shown != Rules::None)
            words += ground.rules.word(state.shown);
    }
    const int word = below(int(words.size()) + 1);
    seen.word = word < words.size() ? std::optional(words[word]) : std::nullopt;
    if (!seen.word)
        seen.etag.clear();
}

} // namespace

void TestJudgement::verdicts_data()
{
    const Rows<QByteArray, bool> row("lines", "conforms");
    const auto good = [&](const char *name, const QByteArray &lines) { row(name, lines, true); };
    const auto bad = [&](const char *name, const QByteArray &lines) { row(name, lines, false); };
    const QByteArray put = asked("a", "PUT", "n", "0 10");
    good("updating", put + seen("n", "5 6", "Updating"));
    good("not yet", put + seen("n", "5 6", "Succeeded"));
    good("ended as it likes", put + seen("n", "20 21", "Failed"));
    bad("never touched", seen("n", "20 21", "Failed"));
    bad("another tree", put + seen("m", "20 21", "Updating"));
    bad("a word of no state", put + seen("n", "20 21", "Odd"));
    bad("before it was sent", seen("n", "0 1", "Updating") + asked("a", "PUT", "n", "2 10"));
    good("as it was sent", seen("n", "0 2", "Updating") + asked("a", "PUT", "n", "2 10"));
    bad("there and back", put + seen("n", "20 20", "Failed") + seen("n", "21 21", "Updating"));
    good("once more, and back",
        put + seen("n", "20 20", "Failed") + asked("b", "PUT", "n", "20 21")
            + seen("n", "21 21", "Updating"));
    good("without an answer", asked("a", "PUT", "n", "0", Lost) + seen("n", "90 91", "Updating"));
    good("never arrived", asked("a", "PUT", "n", "0", Lost) + seen("n", "90 91", "Succeeded"));
    bad("lost, seen before", asked("a", "PUT", "n", "5", Lost) + seen("n", "0 1", "Updating"));
    good("in the way",
        asked("a", "DELETE", "n", "0 10") + asked("b", "PUT", "n/subnets/s", "5 15", Busy));
    bad("in the way, and refused for another reason",
        asked("a", "DELETE", "n", "0 1")
            + asked("b", "PUT", "n/subnets/s", "5 6", R"({"refused": "OperationNotSupported"})"));
    bad("nothing is in the way", asked("b", "PUT", "n/subnets/s", "5 15", Busy));
    bad("in the way, and let in",
        asked("a", "DELETE", "n", "0 1") + asked("b", "PUT", "n/subnets/s", "5 6")
            + stood("a", "7 8", "InProgress"));
    good("canceled", put + asked("b", "PUT", "n", "5 20") + stood("a", "30 31", "Canceled"));
    bad("canceled by nobody", put + stood("a", "30 31", "Canceled"));
    bad("ended twice", put + stood("a", "30 31", "Succeeded") + stood("a", "32 33", "Failed"));
    bad("ended, and goes on",
        put + stood("a", "30 31", "Succeeded") + stood("a", "32 33", "InProgress"));
    bad("stood so before it was sent",
        stood("a", "0 1", "InProgress") + asked("a", "PUT", "n", "2 10"));
    bad("stood so before it was sent, and another one",
        asked("b", "PUT", "m", "0 1") + stood("a", "3 4", "Succeeded")
            + asked("a", "PUT", "n", "5 10"));
    good("seen to stand as refused",
        asked("a", "DELETE", "n", "0 10") + asked("b", "PUT", "n/subnets/s", "5 15", Busy)
            + stood("b", "20 21", "Rejected"));
    // Of requests that ask for the same none stands for another that is told apart by what was
    // seen.
    const QByteArray twins = asked("b", "PUT", "n", "0 20") + asked("a", "PUT", "n", "0 10");
    good("alike, and seen to end differently",
        twins + stood("a", "30 31", "Succeeded") + stood("b", "30 31", "Canceled"));
    good("alike, and one is due before the other began",
        twins + seen("n", "12 12", "Succeeded") + seen("n", "14 14", "Updating"));
    good("alike, and seen to be at work at different times",
        asked("a", "PUT", "n", "0 10") + asked("b", "PUT", "n", "0 20")
            + stood("a", "30 40", "InProgress") + stood("b", "5 40", "InProgress"));
    good("alike, and one is over before the other begins",
        asked("a", "PUT", "n", "0 20") + asked("b", "PUT", "n", "0 25")
            + stood("b", "5 12", "Succeeded") + stood("a", "5 40", "Succeeded")
            + seen("n", "13 13", "Succeeded") + seen("n", "15 15", "Updating"));
    bad("alike, and too few of them",
        twins + seen("n", "12 12", "Succeeded") + seen("n", "14 14", "Updating")
            + seen("n", "30 30", "Succeeded") + seen("n", "32 32", "Updating"));
    good("the same etag",
        put + seen("n", "20 21", "Updating", "x") + seen("n", "30 31", "Succeeded", "x"));
    bad("the same etag, touched",
        seen("n", "0 1", "Succeeded", "x") + asked("a", "PUT", "n", "2 3")
            + seen("n", "4 5", "Updating", "x"));
    bad("the same etag, touched from above",
        seen("n/subnets/s", "0 1", "Succeeded", "x") + asked("a", "PUT", "n", "2 3")
            + seen("n/subnets/s", "9 9", "Succeeded", "x"));
    bad("another etag, untouched",
        seen("n", "0 1", "Succeeded", "x") + seen("n", "2 3", "Succeeded", "y"));
    good("another etag, touched from above",
        seen("n/subnets/s", "0 1", "Succeeded", "x") + asked("a", "PUT", "n", "2 3")
            + seen("n/subnets/s", "4 5", "Updating", "y"));
    good("another etag, touched from below",
        seen("n", "0 1", "Succeeded", "x") + asked("a", "PUT", "n/subnets/s", "2 3")
            + stood("a", "4 5", "Succeeded") + seen("n", "6 7", "Succeeded", "y"));
    good("one etag in two spellings",
        seen("n", "0 1", "Succeeded", R"(W/\"x\")") + seen("n", "2 3", "Succeeded", "x"));
    good("another etag while at work",
        asked("a", "PUT", "n", "0 1") + seen("n", "2 3", "Updating", "x")
            + seen("n", "4 5", "Succeeded", "y"));
    good("another etag after an unknown answer",
        seen("n", "0 1", "Succeeded", "x") + asked("a", "PUT", "n", "2 3", Lost)
            + seen("n", "9 10", "Succeeded", "y"));
    good("another etag while a sibling's work goes on",
        asked("a", "PUT", "n/subnets/t", "0 1") + seen("n/subnets/s", "4 5", "Succeeded", "x")
            + seen("n/subnets/s", "8 9", "Succeeded", "y"));
    good("the same etag of two trees",
        seen("n", "0 1", "Succeeded", "x") + asked("a", "PUT", "n", "2 3")
            + seen("m", "4 5", "Succeeded", "x"));
    good("the same etag of what one operation has touched",
        asked("a", "PUT", "n", "0 1") + seen("n", "2 3", "Updating", "x")
            + seen("n/subnets/s", "2 3", "Updating", "x"));
    const auto matching = [](const char *id, const char *times, const char *etag,
                              const char *answer = R"({"accepted": true})") {
        QByteArray line = asked(id, "PUT", "n", times, answer);
        return line.replace(R"("sent")", R"("ifMatch": ")" + QByteArray(etag) + R"(", "sent")");
    };
    constexpr auto Precondition = R"({"refused": "PreconditionFailed"})";
    const QByteArray shown = seen("n", "0 1", "Succeeded", "x");
    good("let in by its etag", shown + matching("a", "2 3", "x"));
    bad("let in by an etag that nobody has seen", shown + matching("a", "2 3", "z"));
    good(
        "refused by an etag that nobody has seen", shown + matching("a", "2 3", "z", Precondition));
    bad("refused though the etag is right", shown + matching("a", "2 3", "x", Precondition));
    good("let in by an etag that another request gave",
        shown + asked("b", "PUT", "n", "2 3") + stood("b", "4 5", "Succeeded")
            + matching("a", "6 7", "z"));
    good("the second of two with one etag is refused",
        shown + matching("a", "2 3", "x") + matching("b", "4 5", "x", Precondition));
    bad("both of two with one etag are let in",
        shown + matching("a", "2 3", "x") + matching("b", "4 5", "x"));
    // Bodies: what was stored is what is shown.
    const auto storing = [](const char *id, const char *times, const char *members,
                             const char *op = "PUT", const char *answer = R"({"accepted": true})") {
        QByteArray line = asked(id, op, "n", times, answer);
        return line.replace(
            R"("sent")", R"("properties": {)" + QByteArray(members) + R"(}, "sent")");
    };
    const auto showing = [](const char *times, const char *state, const char *members,
                             const char *etag = nullptr) {
        QByteArray line = seen("n", times, state, etag);
        return line.replace(
            R"("from")", R"("properties": {)" + QByteArray(members) + R"(}, "from")");
    };
    const QByteArray one = showing("0 1", "Succeeded", R"("x": 1)");
    const QByteArray two = storing("a", "2 3", R"("x": 2)") + stood("a", "4 5", "Succeeded");
    good("stored and shown", one + two + showing("6 7", "Succeeded", R"("x": "2", "y": 1)"));
    bad("stored and reverted", one + two + showing("6 7", "Succeeded", R"("x": 1)"));
    bad("stored, and a third value", one + two + showing("6 7", "Succeeded", R"("x": 3)"));
    bad("stored inside and reverted",
        one + storing("a", "2 3", R"("o": {"p": [1, 2]})") + stood("a", "4 5", "Succeeded")
            + showing("6 7", "Succeeded", R"("o": {"p": [1]})"));
    bad("an object stored, a number shown",
        one + storing("a", "2 3", R"("o": {"p": 1})") + stood("a", "4 5", "Succeeded")
            + showing("6 7", "Succeeded", R"("o": 1)"));
    good("left out", one + two + showing("6 7", "Succeeded", R"("y": 1)"));
    good("not known to be stored yet",
        one + storing("a", "2 3", R"("x": 2)") + showing("6 7", "Updating", R"("x": 1)"));
    good("perhaps read before it had ended", one + two + showing("4 7", "Succeeded", R"("x": 1)"));
    good("failed, and as before",
        one + storing("a", "2 3", R"("x": 2)") + stood("a", "4 5", "Failed")
            + showing("6 7", "Failed", R"("x": 1)"));
    good("stored again meanwhile",
        one + two + storing("b", "5 20", R"("x": 1)") + showing("6 7", "Updating", R"("x": 1)"));
    good("perhaps stored by one that got no answer",
        one + storing("b", "1", R"("x": 1)", "PUT", Lost) + two
            + showing("6 7", "Succeeded", R"("x": 1)"));
    bad("the last of two counts",
        one + two + storing("b", "6 7", R"("x": 4)") + stood("b", "8 9", "Succeeded")
            + showing("10 11", "Succeeded", R"("x": 2)"));
    good("removed meanwhile",
        one + two + storing("b", "6 7", "", "DELETE") + stood("b", "8 9", "Succeeded")
            + storing("c", "10 11", "") + stood("c", "12 13", "Succeeded")
            + showing("14 15", "Succeeded", R"("x": 1)"));
    good("a client that says again what it has read",
        one + storing("a", "2 3", R"("x": 1, "y": 2)") + stood("a", "4 5", "Succeeded")
            + showing("6 7", "Succeeded", R"("x": 5, "y": 2)"));
    good("a member that the pack gives the server",
        one + storing("a", "2 3", R"("configurationState": {"status": "Good"})")
            + stood("a", "4 5", "Succeeded")
            + showing("6 7", "Succeeded", R"("configurationState": {"status": "Bad"})"));
    bad("reverted while the etag stays",
        one + storing("a", "2 3", R"("x": 2)") + showing("4 5", "Updating", R"("x": 2)", "e")
            + showing("6 7", "Updating", R"("x": 1)", "e"));
    good("reverted under another etag",
        one + storing("a", "2 3", R"("x": 2)") + showing("4 5", "Updating", R"("x": 2)", "e")
            + storing("b", "5 6", R"("x": 1)") + showing("7 8", "Updating", R"("x": 1)", "f"));
    constexpr auto Began = R"({"began": true})";
    good("a removal that begins", asked("a", "DELETE", "n", "0 1", Began));
    bad("a removal of what is not there begins", asked("a", "DELETE", "k", "0 1", Began));
    good("a removal of what is not there", asked("a", "DELETE", "k", "0 1"));
    bad("a second removal begins",
        asked("a", "DELETE", "n", "0 1", Began) + stood("a", "2 3", "Succeeded")
            + asked("b", "DELETE", "n", "4 5", Began));
    good("held back until it had succeeded",
        asked("a", "PUT", "n", "0 10", R"({"succeeded": true})") + seen("n", "11 12", "Succeeded"));
    bad("held back until it had failed",
        asked("a", "PUT", "n", "0 10", R"({"failed": "X"})") + seen("n", "11 12", "Succeeded"));
    good("not known whether it happened",
        asked("a", "PUT", "n", "0 10", R"({"unknown": true})") + seen("n", "11 12", "Failed"));
    good("not known, and it did not",
        asked("a", "PUT", "n", "0 10", R"({"unknown": true})") + seen("n", "11 12", "Succeeded"));
    bad("not known, and too late",
        asked("a", "PUT", "n", "5 10", R"({"unknown": true})") + seen("n", "3 4", "Updating"));
    good("gone",
        asked("a", "DELETE", "n", "0 10") + seen("n", "20 21", "null")
            + seen("n/subnets/s", "20 21", "null"));
    bad("gone, and its child is not",
        asked("a", "DELETE", "n", "0 10") + seen("n", "20 20", "null")
            + seen("n/subnets/s", "21 21", "Succeeded"));
    bad("back from the dead",
        asked("a", "DELETE", "n", "0 10") + stood("a", "20 21", "Succeeded")
            + seen("n", "22 23", "Succeeded"));
    const QByteArray removal = asked("a", "DELETE", "n/subnets/s", "0 1");
    const QByteArray unmoved =
        seen("n", "20 21", "Succeeded", "x") + seen("n/subnets/s", "20 21", "Deleting", "y");
    good("a parent at rest, its child at work, one after the other", removal + unmoved);
    bad("a parent at rest, its child at work, at one moment", removal + together(unmoved));
    good("a parent and its child at work at one moment",
        removal
            + together(
                seen("n", "20 21", "Updating", "x") + seen("n/subnets/s", "20 21", "Deleting", "y"))
            + seen("n", "30 31", "Succeeded", "x"));
    bad("at one moment, with an etag that is not the newest",
        seen("n", "0 1", "Succeeded", "x") + asked("a", "PUT", "n/subnets/s", "2 2")
            + seen("n", "3 3", "Updating")
            + together(
                seen("n", "20 21", "Succeeded", "x") + seen("n/subnets/s", "20 21", "Succeeded")));
    // It would change nothing now, and is to change something later.
    good("a removal after a creation",
        asked("b", "DELETE", "k", "0 50") + asked("a", "PUT", "k", "10 20")
            + seen("k", "60 61", "Deleting"));
}

void TestJudgement::verdicts()
{
    QFETCH(QByteArray, lines);
    QFETCH(bool, conforms);
    const Pack &pack = packNamed(u"network-controller"_s);
    const History history = historyOf(Networks + lines, pack);
    const HistoryVerdict verdict = judged(history, rulesOf(pack));
    const QString text = verdictText(verdict, u"h"_s);
    QVERIFY2(verdict.outcome == (conforms ? Ended::Conforms : Ended::Violates), qPrintable(text));
    QCOMPARE(verdict.of, history.size());
    QCOMPARE(verdict.violation.has_value(), !conforms);
    if (conforms) {
        QCOMPARE(verdict.explained, verdict.of);
        return;
    }
    QVERIFY2(verdict.explained < verdict.of, qPrintable(text));
    QVERIFY2(!verdict.violation->rule.isEmpty(), qPrintable(text));
    QVERIFY2(!verdict.violation->source.isEmpty() || verdict.violation->rule.contains(u'/'),
        qPrintable(text));

    // The minimal part violates by itself; without any one of its lines it does not, where what is
    // left out may have happened or not.
    const QList<QByteArray> all = (Networks + lines).split('\n');
    QByteArray alone;
    for (const int line : verdict.violation->minimal)
        alone += all[line - 1] + '\n';
    QCOMPARE(verdict.violation->minimal.first(), 1);
    QVERIFY(std::ranges::is_sorted(verdict.violation->minimal));
    QVERIFY(verdict.violation->minimal.contains(verdict.violation->line));
    QCOMPARE(judged(historyOf(alone, pack), rulesOf(pack)).outcome, Ended::Violates);
    // As a history of its own it has everything that was asked until then.
    const History part = minimalPart(history, verdict.violation->minimal);
    const auto *seen = std::get_if<Observation>(&verdict.violation->what);
    for (const RecordedRequest &asked : history.requests) {
        const auto kept = std::ranges::find(part.requests, asked.line, &RecordedRequest::line);
        const bool isKept = kept != part.requests.end();
        const bool isTold = verdict.violation->minimal.contains(asked.line);
        QVERIFY2(isKept == (isTold || !seen || asked.sent <= seen->to), qPrintable(text));
        QVERIFY2(!isKept || isTold || kept->answer == RecordedRequest::Answer::Lost
                || kept->answer == RecordedRequest::Answer::Unknown,
            qPrintable(text));
    }
    QCOMPARE(judged(part, rulesOf(pack)).outcome, Ended::Violates);
    for (const int left : verdict.violation->minimal.mid(1)) {
        History fewer = history;
        QStringList asked; // requests of which something is still said
        fewer.observations.removeIf([&](const Observation &one) {
            return one.line == left || !verdict.violation->minimal.contains(one.line);
        });
        for (const Observation &one : std::as_const(fewer.observations))
            asked += one.operation;
        for (RecordedRequest &one : fewer.requests) {
            const bool isLeft = one.line == left || !verdict.violation->minimal.contains(one.line);
            if (isLeft && one.isClosed() && !asked.contains(one.request.id))
                one.answer = RecordedRequest::Answer::Unknown;
        }
        const bool isNeeded =
            std::ranges::none_of(history.requests, [&](const RecordedRequest &one) {
                return one.line == left && asked.contains(one.request.id);
            });
        if (!isNeeded)
            continue;
        const Ended outcome = judged(fewer, rulesOf(pack)).outcome;
        QVERIFY2(outcome == Ended::Conforms || outcome == Ended::NothingJudged, qPrintable(text));
    }
}

/// What is printed of a violation, in full.
void TestJudgement::violation()
{
    const HistoryVerdict verdict =
        judgedLines(asked("r1", "PUT", "n", "10 12.5") + asked("r0", "PUT", "m", "11 13")
            + seen("n", "20 21", "Updating") + stood("r1", "30 31", "Succeeded")
            + seen("n", "40 41", "Failed") + seen("n", "50 51", "Failed"));
    QJsonObject json = verdictJson(verdict);
    QJsonObject violation = json[u"violation"_s].toObject();
    QVERIFY2(violation[u"rule"_s].toString().contains(u"from Updating on succeeded to Succeeded"_s),
        qPrintable(violation[u"rule"_s].toString()));
    QVERIFY(violation[u"source"_s].toString().contains(u"MS-NCNBI"_s));
    QVERIFY(violation[u"because"_s].toArray().contains(
        QJsonObject { { u"event"_s, u"end r1 failed"_s }, { u"not"_s, u"r1 was seen Succeeded"_s },
            { u"details"_s, u"PUT /logicalNetworks/n, between 30 and 31 ms"_s } }));
    for (const QString &key : { u"rule"_s, u"source"_s, u"because"_s })
        violation.remove(key);
    json[u"violation"_s] = violation;
    json.remove(u"worlds"_s);
    QCOMPARE(json,
        QJsonDocument::fromJson(R"({
        "verdict": "violates", "explained": 4, "of": 6, "minimal": [1, 2, 5, 6],
        "order": [{"event": "submit r1", "after": 10}, {"event": "submit r0", "after": 11},
            {"event": "end r1 succeeded", "after": 21}],
        "violation": {"line": 6, "what": {"seen": "/logicalNetworks/n", "state": "Failed"},
            "details": "between 40 and 41 ms", "allowed": ["Succeeded"], "etag": false,
            "without": [6, 7]}
    })")
            .object());
    const QString text = verdictText(verdict, u"h"_s);
    for (const QString &part :
        { u"h:6: /logicalNetworks/n was seen Failed (between 40 and 41 ms)"_s,
            u"not explained by end r1 failed: r1 was seen Succeeded (PUT /logicalNetworks/n, between 30 and 31 ms)"_s })
        QVERIFY2(text.contains(part), qPrintable(text));

    // The word is allowed, the etag is not, and that is said.
    const HistoryVerdict stale =
        judgedLines(seen("n", "0 1", "Succeeded", "x") + asked("a", "PUT", "n", "2 3")
            + stood("a", "4 5", "Succeeded") + seen("n", "6 7", "Succeeded", "x"));
    QVERIFY(stale.violation->isEtag);
    const QString said = verdictText(stale, u"h"_s);
    for (const QString &part : { u"/logicalNetworks/n was seen Succeeded with etag x"_s,
             u"allowed by the rules: Succeeded with a different etag\n"_s })
        QVERIFY2(said.contains(part), qPrintable(said));

    // What has no answer yet when something is wrong explains what was before.
    const HistoryVerdict open = judgedLines(asked("a", "PUT", "n", "0 100")
        + seen("n", "10 11", "Updating") + seen("n/subnets/s", "20 21", "Odd"));
    QCOMPARE(open.violation->line, 4);

    // What would have been answered otherwise.
    const HistoryVerdict let = judgedLines(asked("a", "DELETE", "n", "0 1")
        + asked("b", "PUT", "n/subnets/s", "5 6") + stood("a", "7 8", "InProgress"));
    QCOMPARE(let.violation->rule, u"Another operation is running in this tree."_s);
    QCOMPARE(let.violation->line, 3);
    QCOMPARE(let.violation->allowed, QStringList({ u"AnotherOperationInProgress"_s }));
    QCOMPARE(let.violation->minimal, QList<int>({ 1, 2, 3, 4 }));

    // Both resources move, so the second request was accepted against the rule.
    const HistoryVerdict both = judgedLines(asked("a", "PUT", "n/subnets/s", "0 1")
        + asked("b", "PUT", "n/subnets/t", "5 6") + seen("n/subnets/t", "7 8", "Updating")
        + seen("n/subnets/s", "9 10", "Updating"));
    QCOMPARE(both.violation->line, 3);
    QCOMPARE(both.violation->rule, let.violation->rule);
    QCOMPARE(both.violation->allowed, let.violation->allowed);
    QCOMPARE(both.violation->minimal, QList<int>({ 1, 3, 5 }));
}

void TestJudgement::blames_data()
{
    const Rows<QByteArray, QString> row("lines", "rule");
    const Pack &pack = packNamed(u"network-controller"_s);
    const QString ends = u"from Updating on succeeded to Succeeded"_s;
    const QByteArray put = asked("a", "PUT", "n", "0 1"), over = stood("a", "2 3", "Succeeded");
    row("lost update",
        asked("a", "PUT", "n/subnets/new", "0 1") + over + seen("n/subnets/new", "4 5", "null"),
        ends);
    row("stuck", put + over + seen("n", "4 5", "Updating"), ends);
    row("wrong end", put + over + seen("n", "4 5", "Failed"), ends);
    row("premature", put + over + stood("a", "4 5", "InProgress"), ends);
    row("another tree", put + over + asked("b", "PUT", "m", "4 5") + seen("n", "6 7", "Updating"),
        ends);
    row("zombie",
        asked("a", "DELETE", "n/subnets/s", "0 1") + over + seen("n/subnets/s", "4 5", "Succeeded"),
        u"The resource and all its descendants are gone."_s);
    row("canceled by nobody", put + stood("a", "2 3", "Canceled"), pack.conflicts.first().about);
    row("the same etag",
        seen("n", "0 1", "Succeeded", "x") + asked("a", "PUT", "n", "2 3")
            + seen("n", "4 5", "Updating", "x"),
        pack.stamps.first().about);
}

/// The last line is the one that is wrong, and the rule is named.
void TestJudgement::blames()
{
    QFETCH(const QByteArray, lines);
    QFETCH(const QString, rule);
    const HistoryVerdict verdict = judgedLines(lines);
    QCOMPARE(verdict.outcome, Ended::Violates);
    QCOMPARE(verdict.violation->line, 1 + int(lines.count('\n')));
    QVERIFY2(verdict.violation->rule.contains(rule), qPrintable(verdict.violation->rule));
}

/// What was refused because of what came later was asked for after that, however early it was sent.
void TestJudgement::orderIsThatOfTime()
{
    const HistoryVerdict verdict = judgedLines(asked("early", "PUT", "n/subnets/s", "0 100", Busy)
        + asked("late", "DELETE", "n", "10 12") + seen("n", "20 21", "Deleting"));
    QStringList order;
    for (const HiddenEvent &event : verdict.order)
        order += event.event + u" after "_s + QString::number(event.after);
    QCOMPARE(order.join(u'\n'), u"submit late after 10\nsubmit early after 10"_s);
}

/// A search that is not over accuses nobody.
void TestJudgement::budget()
{
    const QByteArray lines = asked("a", "PUT", "n", "0 10") + seen("n", "20 21", "Odd");
    QCOMPARE(judgedLines(lines).outcome, Ended::Violates);
    const HistoryVerdict verdict = judgedLines(lines, { .states = 2 });
    QCOMPARE(verdict.outcome, Ended::Undecided);
    QVERIFY(!verdict.violation);
    QCOMPARE(verdict.explained, 1);
}

/// Two collisions of five named requests each do not make a third one harder to judge.
void TestJudgement::collisionsBefore()
{
    QByteArray lines;
    for (const int start : { 0, 1000, 2000 }) {
        const auto between = [start](int from, int to) {
            return QByteArray::number(start + from) + ' ' + QByteArray::number(start + to);
        };
        for (int i = 0; i < 5; ++i) {
            const QByteArray id = QByteArray::number(start + i);
            QByteArray line = asked(
                id, i ? "PUT" : "DELETE", "n/subnets/s", between(0, 100), i ? Busy : Accepted);
            lines += line.replace(R"("sent")", R"("requestId": ")" + id + R"(", "sent")");
        }
        lines += stood(QByteArray::number(start), between(200, 201), "Failed")
            + seen("n", between(210, 211), "Failed");
    }
    const Budget small { .states = 100 };
    QCOMPARE(judgedLines(lines, small).outcome, Ended::Conforms);
    lines += seen("n/subnets/s", "2220 2221", "Updating");
    QCOMPARE(judgedLines(lines, small).outcome, Ended::Violates);
}

/// Moves that lead to situations that are known count, too.
void TestJudgement::knownSituationsTakeTime()
{
    const Pack &pack = packNamed(u"network-controller"_s);
    QByteArray lines = Networks;
    for (int i = 0; i < 9; ++i) {
        const QByteArray id = QByteArray::number(i);
        lines += asked(
            id.constData(), i % 3 == 2 ? "DELETE" : "PUT", i % 2 ? "n" : "n/subnets/s", "0 100");
    }
    lines += seen("n", "200 201", "Touched");
    const History history = historyOf(lines, pack);
    const Rules &rules = rulesOf(pack);
    HistorySearch all(rules, history);
    QCOMPARE(all.run({}), Ended::Violates);
    HistorySearch some(rules, history);
    QCOMPARE(some.run({ .states = all.worlds() + 1 }), Ended::Undecided);
    QCOMPARE(some.stoppedBy(), Limit::States);
}

/// Without an answer or an observation the rules cannot be contradicted, so nothing conforms
/// either.
void TestJudgement::nothingJudged()
{
    const QByteArray left =
        asked("a", "PUT", "n", "0", Lost) + asked("b", "PUT", "m", "0 10", R"({"unknown": true})");
    for (const QByteArray &lines : { QByteArray(), left }) {
        const HistoryVerdict verdict = judgedLines(lines);
        QCOMPARE(verdict.outcome, Ended::NothingJudged);
        QCOMPARE(verdictText(verdict, u"h"_s), u"nothing judged\n"_s);
        QCOMPARE(verdictJson(verdict)[u"verdict"_s].toString(), u"nothing judged"_s);
    }
    for (const QByteArray &line :
        { seen("n", "20 21", "Succeeded"), asked("c", "PUT", "n", "20 21") })
        QCOMPARE(judgedLines(left + line).outcome, Ended::Conforms);
}

/// The proof is played at the recorded times: work that lasted half a minute is in the way,
/// although the pack gives it a second.
void TestJudgement::replayed()
{
    const Pack &pack = packNamed(u"network-controller"_s);
    const Rules rules = rulesOf(pack);
    const QByteArray subnets =
        R"({"history": 1, "resources": [{"path": "/logicalNetworks/n/subnets/s"}, {"path": "/logicalNetworks/n/subnets/t"}]})"
        "\n";
    const QByteArray lines = asked("z", "PUT", "n/subnets/s", "0 1")
        + stood("z", "20000 20001", "Succeeded") + asked("a", "PUT", "n/subnets/s", "30000 30001")
        + asked("b", "PUT", "n/subnets/t", "60000 60001") + stood("a", "70000 70001", "InProgress");
    const History history = historyOf(subnets + lines, pack);
    const HistoryVerdict verdict = judged(history, rules);
    QCOMPARE(verdict.outcome, Ended::Violates);
    const auto isEndOfZ = [](const HiddenEvent &one) {
        return one.kind == Event::Kind::End && one.operation == u"z"_s
            && one.outcome == u"succeeded"_s;
    };
    QCOMPARE(std::ranges::count_if(verdict.order, isEndOfZ), 1);
    const Scenario replay = shortestReplay(history, verdict);
    Simulator simulator(rules, makeWorld(rules, *replay.resources).world);
    play(replay, simulator);
    const auto operation = [&](const QString &id) { return *simulator.operations().find(id); };
    QCOMPARE(operation(u"z"_s).ended.value_or(0), qint64(20'001));
    QCOMPARE(operation(u"a"_s).status, Status::InProgress);
    QCOMPARE(operation(u"b"_s).status, Status::Rejected);
    QCOMPARE(operation(u"b"_s).conflictsWith, u"a"_s);
}

/// A round as lines that can be compared with another round: polls that show nothing new are left
/// out.
void TestJudgement::asLines()
{
    const QByteArray history = asked("r7", "PUT", "n", "10 11")
        + seen("n", "25 26", "Updating", "e2") + stood("r7", "20 21", "InProgress")
        + stood("r7", "22 23", "InProgress") + seen("n", "30 31", "Updating", "e3");
    const Pack &pack = packNamed(u"network-controller"_s);
    QCOMPARE(traceLines(historyOf(Networks + history, pack)).join(u'\n'),
        u"PUT /logicalNetworks/n was accepted\nPUT /logicalNetworks/n was seen InProgress\n"
        "/logicalNetworks/n was seen Updating"_s);
}

/// A state that only a server enters may be seen at any time, but of no resource that is absent.
void TestJudgement::statesOfTheServer()
{
    Pack pack = packNamed(u"network-controller"_s);
    for (Machine &machine : pack.machines) {
        State state;
        state.id = u"Migrating"_s;
        state.byServer = true;
        machine.states.push_back(state);
    }
    const auto outcome = [&](const QByteArray &lines) {
        return judged(historyOf(Networks + lines, pack), rulesOf(pack)).outcome;
    };
    const QByteArray put = asked("a", "PUT", "n", "0 1");
    QCOMPARE(outcome(put + seen("n", "2 3", "Migrating") + stood("a", "4 5", "Succeeded")
                 + seen("n", "6 7", "Succeeded")),
        Ended::Conforms);
    QCOMPARE(outcome(put + seen("n", "2 3", "Odd")), Ended::Violates);
    QCOMPARE(outcome(seen("x", "2 3", "Migrating")), Ended::Violates);
}

void TestJudgement::readings()
{
    const Pack &pack = packNamed(u"network-controller"_s);
    const QByteArray two =
        R"({"history": 1, "resources": [{"path": "/logicalNetworks/n/subnets/s"}, {"path": "/logicalNetworks/n/subnets/t"}]})"
        "\n"
        + asked("a", "PUT", "n/subnets/s", "0 1") + asked("b", "PUT", "n/subnets/t", "2 3")
        + stood("a", "4 5", "InProgress");
    const History history = historyOf(two, pack);
    QCOMPARE(judged(history, rulesOf(pack)).outcome, Ended::Violates);
    const ExplainingSwitches readings = switchesThatExplain(history, pack);
    QVERIFY(readings.all);
    QCOMPARE(readings.explaining.size(), 24); // of 48: the switches that make no difference
    for (const Switches &switches : readings.explaining)
        QCOMPARE(switches[u"siblingsRunConcurrently"_s], u"true"_s);
    QVERIFY(!switchesThatExplain(history, pack, {}, 3).all);
    QVERIFY(!readHistory(QByteArray(two).replace("PUT", "PAT"), u"h"_s, pack));

    Pack many = pack; // 2^60 combinations
    while (many.switches.size() < 60) {
        many.switches += many.switches.first();
        many.switches.last().id = u"s%1"_s.arg(many.switches.size());
    }
    QVERIFY(!switchesThatExplain(history, many, {}, 3).all);
}

/// Trees that nothing connects are judged apart, others together.
void TestJudgement::parts()
{
    const auto sizes = [](const QString &id, const QByteArray &lines,
                           const Switches &switches = {}) {
        const Pack &pack = packNamed(id);
        QList<qsizetype> result;
        for (const History &part : partsOf(historyOf(lines, pack), rulesOf(pack, switches)))
            result += part.resources.size();
        return result;
    };
    const QByteArray header = Networks + asked("a", "PUT", "n", "0 1");
    QCOMPARE(sizes(u"network-controller"_s, header), QList<qsizetype> { 2 });
    QCOMPARE(sizes(u"network-controller"_s, header + asked("b", "PUT", "m", "0 1")),
        (QList<qsizetype> { 2, 1 }));
    QCOMPARE(sizes(u"network-controller"_s, header + seen("M", "0 1", "Succeeded")),
        (QList<qsizetype> { 2, 1 }));
    QByteArray refers = asked("b", "PUT", "m", "0 1");
    refers.replace(R"("sent")", R"("references": ["/logicalNetworks/n"], "sent")");
    QCOMPARE(sizes(u"network-controller"_s, header + refers), QList<qsizetype> { 3 });
    QByteArray first = asked("b", "PUT", "m", "0 1"), second = asked("c", "PUT", "n", "0 1");
    for (QByteArray *line : { &first, &second })
        line->replace(R"("sent")", R"("requestId": "x", "sent")");
    QCOMPARE(sizes(u"network-controller"_s, header + first + second), QList<qsizetype> { 3 });
    // Whatever crashes takes everything with it.
    const QByteArray resources =
        R"({"history": 1, "resources": [{"path": "/resources/a", "state": "managed"}, {"path": "/resources/b", "state": "managed"}]})"
        "\n"
        R"({"seen": "/resources/a", "from": 0, "to": 1, "state": "managed"})"
        "\n";
    QCOMPARE(sizes(u"pulumi"_s, resources), QList<qsizetype> { 2 });
}

void TestJudgement::recordingsConform()
{
    qint64 worlds = 0, most = 0, undecided = 0, histories = 0, things = 0;
    QVERIFY(holdsFor(casesOf(150), 100, [&] {
        const Playground ground = anyPlayground();
        RecordingSize size { .requests = 1 + below(14), .observations = below(20) };
        if (below(4) == 0)
            size.gap = 20; // everybody at once
        const Recorded recording = recorded(ground, size);
        const HistoryVerdict verdict =
            judged(recording.history, ground.rules, { .states = 100'000 });
        ++histories;
        things += verdict.of;
        worlds += verdict.worlds;
        most = std::max(most, verdict.worlds);
        undecided += verdict.outcome == Ended::Undecided ? 1 : 0;
        if (verdict.outcome == Ended::Violates)
            RC_FAIL(whatHappened(ground, recording, verdict));
        RC_ASSERT(verdict.outcome == Ended::Undecided || verdict.explained == verdict.of);
        // What is written down is read back.
        const Result<History> read =
            readHistory(writeHistory(recording.history), u"random"_s, ground.rules.pack());
        RC_ASSERT(read);
        RC_ASSERT(writeHistory(*read) == writeHistory(recording.history));
    }));
    qInfo("%lld histories of %lld things, %lld situations, at most %lld in one, %lld undecided",
        histories, things, worlds, most, undecided);
    QVERIFY(undecided * 100 <= histories);
}

/// The search agrees with one that tries every order, also where nothing explains a history.
void TestJudgement::everyOrderTried()
{
    qint64 decided = 0, violating = 0;
    QVERIFY(holdsFor(casesOf(80), 60, [&] {
        const Playground ground = anyPlayground();
        RecordingSize size { .requests = 1 + below(8),
            .observations = below(6),
            .gap = 100,
            .slack = 60,
            .hasPreconditions = false };
        Recorded recording = recorded(ground, size);
        if (below(3))
            spoil(ground, recording.history);
        const std::optional<bool> tried = explainedByTrying(ground.rules, recording.history, 8'000);
        if (!tried || !recording.history.isJudgeable())
            return;
        ++decided;
        violating += *tried ? 0 : 1;
        const HistoryVerdict verdict = judged(recording.history, ground.rules);
        if ((verdict.outcome == Ended::Conforms) != *tried)
            RC_FAIL(whatHappened(ground, recording, verdict));
    }));
    qInfo("%lld histories decided by both, %lld of them violate", decided, violating);
    QVERIFY(decided * 2 >= casesOf(80));
    QVERIFY(violating * 10 >= decided);
}

/// In a world that is at rest and has no clock, any other word than the right one is found.
void TestJudgement::oneStateChanged()
{
    int found = 0;
    QVERIFY(holdsFor(casesOf(60), 100, [&] {
        const Playground ground = anyPlayground();
        RC_PRE(!ground.rules.hasTimers());
        Recorded recording = recorded(ground,
            { .requests = below(5),
                .observations = 2,
                .gap = 3000,
                .slack = 0,
                .loses = false,
                .hasPreconditions = false,
                .seesAll = true });
        History &history = recording.history;
        QMap<QString, Observation> last; // of each resource and operation
        for (const Observation &seen : std::as_const(history.observations))
            last.insert(seen.path + seen.operation, seen);
        RC_PRE(std::ranges::none_of(last, [](const Observation &seen) {
            return !seen.isOfResource()
                && (seen.word == statusName(Status::InProgress)
                    || seen.word == statusName(Status::Waiting));
        }));
        RC_ASSERT(judged(history, ground.rules).outcome == Ended::Conforms);
        Observation seen = last.value(ground.paths[below(int(ground.paths.size()))]);
        seen.line = 1 + history.headerLine + int(history.size());
        seen.from = seen.to = history.observations.last().to + 1;
        seen.snapshot = 0;
        seen.etag.clear();
        seen.word = seen.word ? std::nullopt : std::optional(u"Ready"_s);
        history.observations += seen;
        const HistoryVerdict verdict = judged(history, ground.rules);
        if (verdict.outcome != Ended::Violates)
            RC_FAIL(whatHappened(ground, recording, verdict));
        ++found;
        RC_ASSERT(verdict.violation->line == seen.line);
    }));
    QVERIFY(found > 0);
}

const TestClass<TestJudgement> registered;
#include "tst_judgement.moc"
