// SPDX-License-Identifier: Apache-2.0
// The edited pack compared with its saved version.

#include "app/comparing.h"
#include "model/pack/edits.h"
#include "tests/app/windowundertest.h"
#include "tests/support/testclass.h"

#include <QDialog>
#include <QPlainTextEdit>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

class TestComparing : public QObject, private WindowUnderTest
{
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }
    void nothingChanged();
    void theScenarioThatShowsItIsPlayed();

private:
    QDialog *dialog() { return m_window->findChild<QDialog *>(u"comparison"_s); }
    QString text() { return dialog()->findChild<QPlainTextEdit *>()->toPlainText(); }
};

void TestComparing::nothingChanged()
{
    compareWithSaved(*m_window);
    QTRY_VERIFY_WITH_TIMEOUT(dialog(), 60'000);
    QCOMPARE(text(), u"The two packs have the same meaning."_s);
    QCOMPARE(dialog()->findChildren<QPushButton *>().size(), 1);
}

void TestComparing::theScenarioThatShowsItIsPlayed()
{
    Pack pack = document().pack();
    for (Conflict &row : pack.conflicts)
        row.then = Conflict::Then::Reject;
    document().edit(u"refuse"_s, pack);
    compareWithSaved(*m_window);
    QTRY_VERIFY_WITH_TIMEOUT(dialog(), 60'000);
    QVERIFY2(text().startsWith(u"changed conflict"), qPrintable(text()));
    QVERIFY2(text().contains(u"scenario"), qPrintable(text()));
    const qsizetype before = m_program->windows().size();
    for (QPushButton *each : dialog()->findChildren<QPushButton *>()) {
        if (each->text().contains(u"Play"))
            each->click();
    }
    QCOMPARE(m_program->windows().size(), before + 1);
    const QPointer<MainWindow> other = m_program->windows().last();
    QVERIFY(other != m_window);
}

} // namespace

const TestClass<TestComparing, QApplication> registered;
#include "tst_comparing.moc"
