// SPDX-License-Identifier: Apache-2.0
// A description of an API in the window: it becomes a pack that is alive, and what was guessed is
// told.

#include "app/opening.h"
#include "tests/app/windowundertest.h"
#include "tests/support/fileanswer.h"
#include "tests/support/testclass.h"
#include "tests/support/texts.h"
#include "views/panels/notice.h"

using namespace instar;

namespace {

const QString harbour = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/descriptions/harbour.yaml");
const QString vaults = QStringLiteral(INSTAR_SOURCE_DIR "/tests/data/descriptions/vaults.json");

} // namespace

class TestApiDescriptions : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { t.prepare(); }
    void init() { t.open(); }
    void cleanup() { t.close(); }

    void byTheMenu();
    void isSavedAsAPack();

private:
    WindowUnderTest t;
};

void TestApiDescriptions::byTheMenu()
{
    t.m_window->fire(u"PUT"_s); // something has happened in it, so it stays
    {
        const FileAnswer answer(harbour);
        t.action(u"Open…"_s).trigger();
        QVERIFY(answer.filters().value(0).contains(u"*.yaml"_s));
    }
    QTRY_COMPARE(t.m_program->windows().size(), 2);
    t.m_window = t.m_program->windows().last();
    QVERIFY(t.m_window->windowTitle().contains(u"Harbour Master"_s));
    auto *box = t.m_window->findChild<QMessageBox *>(u"diagnostics"_s);
    QVERIFY(box && box->isVisible() && !box->isModal());
    QVERIFY(has(box->detailedText(), { u"harbour.yaml:37: note: closeBerth answers 202"_s }));
}

/// The description itself is never written to.
void TestApiDescriptions::isSavedAsAPack()
{
    const Opened content = valueOf(instar::loadSource(vaults));
    QVERIFY(content.text.isEmpty());
    QVERIFY(!content.asPack.isEmpty());
    QCOMPARE(content.diagnostics.filter(u": error: "_s), QStringList());
    t.show(vaults);
    QVERIFY(!t.m_window->isWindowModified());
    QCOMPARE(t.m_window->windowFilePath(), QString());
    bool isSet = false;
    for (const NoticeBar *bar : t.m_window->findChildren<NoticeBar *>()) {
        for (const QLabel *label : bar->findChildren<QLabel *>())
            isSet = isSet || label->text().contains(u"vaults.json is shown as a pack"_s);
    }
    QVERIFY(isSet);
}

const instar::TestClass<TestApiDescriptions, QApplication> registered;
#include "tst_apidescriptions.moc"
