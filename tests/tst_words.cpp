// SPDX-License-Identifier: Apache-2.0
// One word for one thing: words that may not be names, and the field's word for each; and no key of
// a file where a person reads.

#include "model/engine/admission.h"
#include "model/engine/explanation.h"
#include "tests/support/sources.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

const QHash<QString, QString> &glossary()
{
    static const QHash<QString, QString> instead {
        { u"chronicle"_s, u"history recorder"_s },
        { u"commutation"_s, u"order dependence"_s },
        { u"divergence"_s, u"behavioural difference"_s },
        { u"errand"_s, u"request"_s },
        { u"grove"_s, u"tree group"_s },
        { u"mirror"_s, u"remote world"_s },
        { u"mood"_s, u"status category"_s },
        { u"outlook"_s, u"outcome"_s },
        { u"prospect"_s, u"outcome"_s },
        { u"score"_s, u"timeline"_s },
        { u"breach"_s, u"violation"_s },
        { u"departure"_s, u"violation"_s },
        { u"deviation"_s, u"violation"_s },
        { u"doubt"_s, u"diagnostic"_s },
        { u"doubtful"_s, u"unrecognized"_s },
        { u"forecast"_s, u"expected state"_s },
        { u"foretold"_s, u"expected state"_s },
        { u"issue"_s, u"diagnostic"_s },
        { u"mend"_s, u"make runnable"_s },
        { u"mended"_s, u"runnable draft"_s },
        { u"objection"_s, u"violation"_s },
        { u"phrasebook"_s, u"wire rules"_s },
        { u"prediction"_s, u"expected state"_s },
        { u"sighting"_s, u"observation"_s },
        { u"story"_s, u"trace"_s },
        { u"teller"_s, u"what it does"_s },
        { u"testdoor"_s, u"test endpoints"_s },
        { u"testimony"_s, u"observation"_s },
        { u"trouble"_s, u"diagnostic"_s },
        { u"typebook"_s, u"wire rules"_s },
        { u"unasked"_s, u"external activity"_s },
        { u"volley"_s, u"burst"_s },
    };
    return instead;
}

/// Returns the field's word for a word of a name or its plural; empty: the word may stay.
QString insteadOf(const QString &word)
{
    const QString singular = word.endsWith(u's') ? word.chopped(1) : word;
    return glossary().value(word, glossary().value(singular));
}

/// "scoreView", "ScoreView", "score_view": score, view.
QStringList wordsOf(QString name)
{
    static const QRegularExpression border(u"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"_s);
    return name.replace(border, u" "_s).toLower().split(u' ', Qt::SkipEmptyParts);
}

/// A text's names, which are not in its strings and comments.
QSet<QString> namesIn(QString text)
{
    static const QRegularExpression silent(
        u"//[^\\n]*|/\\*.*?\\*/|#include[^\\n]*|R\"(\\w*)\\(.*?\\)\\1\"|\"(?:\\\\.|[^\"\\\\\\n])*\""_s,
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression name(u"\\b[A-Za-z_]\\w*"_s);
    text.replace(silent, u" "_s);
    QSet<QString> names;
    for (auto it = name.globalMatch(text); it.hasNext();)
        names.insert(it.next().captured());
    return names;
}

/// What is wrong with the names of a file and of what is in it.
QStringList faultsOf(const QString &file, const QString &text)
{
    QStringList faults;
    QSet<QString> names = namesIn(text);
    names.insert(file.section(u'/', -1).section(u'.', 0, 0));
    for (const QString &name : std::as_const(names)) {
        for (const QString &word : wordsOf(name)) {
            if (const QString instead = insteadOf(word); !instead.isEmpty())
                faults += u"%1: %2 says \"%3\" for \"%4\""_s.arg(file, name, word, instead);
        }
    }
    return faults;
}

class TestWords : public QObject
{
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void sources();
    void pluralsFollowTheirClasses();
    void noKeyIsShown_data() { instar::addRowsOf("pack", instar::knownPacks()); }
    void noKeyIsShown();
};

void TestWords::finds_data()
{
    const instar::Rows<QString, QString, int> row("file", "text", "faults");
    row("type", u"a.h"_s, u"class ScoreView;"_s, 1);
    row("function", u"a.h"_s, u"int moodOf();"_s, 1);
    row("member", u"a.h"_s, u"QString m_story;"_s, 1);
    row("plural", u"a.h"_s, u"int moodsOf();"_s, 1);
    row("file", u"views/score.h"_s, {}, 1);
    row("within a word", u"history.h"_s, u"class History;"_s, 0);
    row("text", u"a.cpp"_s, u"text = \"score\"; // of a mood"_s, 0);
}

void TestWords::finds()
{
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(int, faults);
    QCOMPARE(faultsOf(file, text).size(), faults);
}

void TestWords::sources()
{
    const QMap<QString, QString> sources =
        instar::sourcesIn({ u"app"_s, u"model"_s, u"views"_s, u"tests"_s });
    QStringList faults;
    for (const auto &[file, text] : sources.asKeyValueRange())
        faults += faultsOf(file, text);
    QVERIFY2(sources.size() > 5, "the sources were not found");
    faults.sort();
    QVERIFY2(faults.isEmpty(), qUtf8Printable(u'\n' + faults.join(u'\n')));
}

/// Plural forms are found by the names of classes, in the text and in what is made of it.
void TestWords::pluralsFollowTheirClasses()
{
    QSet<QString> names;
    for (const QString &text : instar::sourcesIn({ u"app"_s, u"model"_s, u"views"_s }))
        names += namesIn(text);
    const QString translation =
        QStringLiteral(INSTAR_SOURCE_DIR "/resources/translations/instar_en.");
    const QByteArray text = instar::bytesOf(translation + u"ts"_s),
                     binary = instar::bytesOf(translation + u"qm"_s);
    static const QRegularExpression context(u"<name>(instar::(\\w+))</name>"_s);
    int contexts = 0;
    for (auto it = context.globalMatch(QString::fromUtf8(text)); it.hasNext(); ++contexts) {
        const QRegularExpressionMatch match = it.next();
        QVERIFY2(names.contains(match.captured(2)), qPrintable(match.captured(1)));
        QVERIFY2(binary.contains(match.captured(1).toUtf8()), qPrintable(match.captured(1)));
    }
    QVERIFY(contexts > 5);
}

/// All operations one after the other on each resource of a pack's sample: how each is answered,
/// and why the resource is as it is.
void TestWords::noKeyIsShown()
{
    static const QRegularExpression key(
        u"\\b(answers|conflicts|refusals|stamp|states|transitions)/"_s);
    QFETCH(QString, pack);
    const instar::Pack &rows = instar::packNamed(pack);
    const instar::Rules rules = instar::rulesOf(rows);
    QStringList paths;
    for (const instar::ResourceSpec &resource : rows.sample)
        paths += { resource.path, resource.path + u"9"_s };
    QSet<QString> texts;
    const auto read = [&texts](const std::optional<instar::Explanation> &why) {
        if (why)
            texts += { why->rule, why->message };
    };
    for (const QString &path : std::as_const(paths)) {
        instar::Staging staging(rules, rows.sample); // an explanation costs as much as its run
        const instar::Simulator &simulator = staging.simulator;
        for (const QString &operation : rows.operationNames()) {
            const instar::Request request { .op = operation, .path = path };
            texts += instar::admission(rules, simulator.world(), request).rule;
            read(instar::whyOperation(simulator, staging.ask(request).serial));
            read(instar::whyResource(simulator, path));
            staging.simulator.step();
        }
    }
    QVERIFY(texts.size() > 3);
    for (const QString &text : std::as_const(texts))
        QVERIFY2(!text.contains(key), qUtf8Printable(text));
}

} // namespace

const instar::TestClass<TestWords> registered;
#include "tst_words.moc"
