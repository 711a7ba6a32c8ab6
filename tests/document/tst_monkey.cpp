// SPDX-License-Identifier: Apache-2.0
#include "model/engine/simulator.h"
#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/check.h"
#include "model/pack/runnablepack.h"
#include "tests/support/packtext.h"
#include "tests/support/randomedit.h"
#include "tests/support/staging.h"
#include "tests/support/testclass.h"
#include "views/document/document.h"
#include "views/document/liverules.h"

#include <QTemporaryDir>
#include <QTest>

#include <rapidcheck.h>

using namespace instar;
using namespace Qt::StringLiterals;

/// Edits of every kind, undone, done again, saved and read, one after the other. In a gate some
/// thousands; RC_PARAMS="max_success=5000" makes about 100,000.
class TestMonkey : public QObject
{
    Q_OBJECT

private slots:
    void anythingAtAll();
};

namespace {

constexpr int stepsAtOnce = 20;

/// The same with spaces somewhere between the signs, as somebody may type them.
QByteArray spacedAnyhow(const QByteArray &text)
{
    const qsizetype from = *rc::gen::inRange<qsizetype>(0, text.size());
    const qsizetype sign = text.indexOf(",", from);
    if (sign < 0)
        return "\n" + text;
    const QByteArray spaced = QByteArray(text).insert(sign + 1, "  \n");
    return JsonText::parse(spaced, {}) ? spaced : text; // it may have been in a string
}

void saveAndRead(Document &document)
{
    RC_ASSERT(bool(document.save()));
    RC_ASSERT(!document.isModified());
    const Result<JsonText> file = loadPackDocument(document.file());
    RC_ASSERT(bool(file));
    RC_ASSERT(file->bytes() == document.text());
    const PackDraft read = packDraft(*file);
    RC_ASSERT(read.diagnostics.isEmpty());
    RC_ASSERT(read.pack == document.pack());
    RC_ASSERT(check(read.pack) == check(document.pack()));
    // As it is opened.
    const Pack playable = runnableDraft(read.pack);
    const Result<Rules> rules = Rules::make(playable);
    if (!rules)
        RC_FAIL(rules.error().toStdString());
    const Loaded loaded = makeWorld(*rules, playable.sample);
    if (!loaded.problem.isEmpty())
        RC_FAIL(loaded.problem.toStdString());
}

} // namespace

void TestMonkey::anythingAtAll()
{
    QTemporaryDir folder;
    int saves = 0, texts = 0, undos = 0;
    const bool holds = rc::check("every edit leads back, and what runs keeps its promises", [&] {
        const QStringList known = knownPacks();
        const Pack first = packNamed(known[*rc::gen::inRange<qsizetype>(0, known.size())]);
        const QByteArray read = spacedAnyhow(writePack(first));
        Document document(first, folder.filePath(u"pack.json"_s), read);
        const Pack playable = runnableDraft(first);
        Simulator simulator(rulesOf(playable), worldOf(rulesOf(playable), playable.sample));
        LiveRules live(document, simulator);
        for (const QString &op : first.operationNames().mid(0, 3)) {
            simulator.submit({ .op = op, .path = first.sample.value(0).path });
            simulator.advance(700);
        }
        const QString tree = shownTree(simulator.rules(), simulator.world());
        for (int i = 0; i < stepsAtOnce; ++i) {
            switch (*rc::gen::inRange(0, 10)) {
            case 0:
                document.history().redo();
                break;
            case 1:
            case 2:
                undos += document.history().canUndo();
                document.history().undo();
                break;
            case 3: {
                const QByteArray text = spacedAnyhow(document.text());
                texts += text != document.text();
                document.editText(u"space"_s, text, document.pack());
                RC_ASSERT(document.text() == text);
                break;
            }
            case 4:
                saveAndRead(document);
                ++saves;
                break;
            default:
                document.edit(u"edit"_s, randomlyEdited(document.pack()));
            }
            if (!live.problem().isEmpty())
                RC_FAIL(live.problem().toStdString());
            const QString broken = brokenPromise(simulator.rules(), simulator.world());
            if (!broken.isEmpty())
                RC_FAIL(broken.toStdString());
            RC_ASSERT(packOf(document.text()) == document.pack());
        }
        const QByteArray last = document.text();
        const int done = document.history().index();
        document.history().setIndex(0);
        RC_ASSERT(document.text() == read);
        RC_ASSERT(document.pack() == first);
        RC_ASSERT(shownTree(simulator.rules(), simulator.world()) == tree);
        document.history().setIndex(done);
        RC_ASSERT(document.text() == last);
    });
    QVERIFY(holds);
    QVERIFY(saves > 10 && texts > 10 && undos > 10);
}

const TestClass<TestMonkey> registered;
#include "tst_monkey.moc"
