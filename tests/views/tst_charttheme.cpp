// SPDX-License-Identifier: Apache-2.0
// What states mean and how that is coloured and shaped.
#include "model/formats/library.h"
#include "tests/support/testclass.h"
#include "views/drawing/chip.h"
#include "views/drawing/theme.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace instar;
using namespace Qt::StringLiterals;

namespace {

Result<Rules> rulesOf(const QString &pack)
{
    const Result<Pack> loaded = loadPack(pack);
    if (!loaded)
        return Error { loaded.error() };
    return Rules::make(*loaded);
}

} // namespace

class TestChartTheme : public QObject
{
    Q_OBJECT

private slots:
    void moods_data() const;
    void moods();
    void contrasts_data() const;
    void contrasts();
    void disabled_data() const;
    void disabled();
    void chipsHoldTheirWord();
};

void TestChartTheme::moods_data() const
{
    QTest::addColumn<QString>("pack");
    QTest::addColumn<QString>("expected");
    QTest::newRow("network-controller")
        << u"network-controller"_s
        << u"absent Absent, Succeeded Rest, Failed Failed, Updating Working, Deleting Removing, Touched Working"_s;
    QTest::newRow("blazar")
        << u"blazar"_s
        << u"absent Absent, PENDING Waiting, ACTIVE Rest, TERMINATED Gone, ERROR Failed, CREATING Working, STARTING Working, TERMINATING Working, UPDATING Working, DELETING Removing"_s;
    QTest::newRow("aps")
        << u"aps"_s
        << u"none Absent, aps:proto Rest, provision (sync) Working, aps:provisioning Working, provision failed Failed, aps:ready Rest, aps:activating Rest, aps:upgrading Working, configure (sync) Working, aps:configuring Working, configure failed Failed, aps:unprovisioning Removing, aps:deleted Removing, delete failed Failed, unlinking Removing"_s;
}

void TestChartTheme::moods()
{
    QFETCH(QString, pack);
    const Result<Rules> rules = rulesOf(pack);
    if (!rules)
        QFAIL(qPrintable(rules.error()));
    const QStringList names { u"Rest"_s, u"Working"_s, u"Removing"_s, u"Failed"_s, u"Absent"_s,
        u"Waiting"_s, u"Gone"_s };
    QStringList found;
    for (const State &state : rules->pack().machines[0].states) {
        if (!rules->applies(state))
            continue;
        const Mood mood = moodOf(*rules, rules->stateNamed(0, state.id));
        found += state.id + u' ' + names[int(mood)];
        QCOMPARE(moodOfWord(*rules, 0, state.id), mood);
    }
    QTEST(found.join(u", "), "expected");
    QCOMPARE(moodOfWord(*rules, 0, u"no such word"_s), Mood::Rest);
}

void TestChartTheme::contrasts_data() const
{
    QTest::addColumn<bool>("isDark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestChartTheme::disabled_data() const
{
    contrasts_data();
}

/// What cannot be used now can be read all the same, and told from what can.
void TestChartTheme::disabled()
{
    QFETCH(bool, isDark);
    const QPalette palette = (isDark ? Theme::dark() : Theme::light()).palette();
    const auto colour = [&](QPalette::ColorRole role) {
        return palette.color(QPalette::Disabled, role);
    };
    const QList<std::pair<QPalette::ColorRole, QPalette::ColorRole>> pairs { { QPalette::WindowText,
                                                                                 QPalette::Window },
        { QPalette::Text, QPalette::Base }, { QPalette::ButtonText, QPalette::Button } };
    for (const auto &[text, ground] : pairs) {
        QVERIFY2(contrast(colour(text), colour(ground)) >= 3,
            qPrintable(u"role %1: %2"_s.arg(text).arg(contrast(colour(text), colour(ground)))));
        QVERIFY(contrast(palette.color(QPalette::Active, text), colour(ground))
            > 1.5 * contrast(colour(text), colour(ground)));
    }
    QVERIFY(contrast(colour(QPalette::HighlightedText), colour(QPalette::Highlight)) >= 4.5);
}

void TestChartTheme::contrasts()
{
    QFETCH(bool, isDark);
    const Theme theme = isDark ? Theme::dark() : Theme::light();
    QCOMPARE(theme.isDark, isDark);
    const auto reads = [](const QColor &text, const QColor &ground) {
        return contrast(text, ground) >= 4.5;
    };
    for (const QColor &ground : { theme.window, theme.base, theme.alternate }) {
        QVERIFY(reads(theme.text, ground));
        QVERIFY(reads(theme.dimText, ground));
        QVERIFY(reads(theme.accent, ground));
        QVERIFY(contrast(theme.line, ground) >= 3);
        for (const Theme::Tone &tone : theme.tones)
            QVERIFY2(contrast(tone.line, ground) >= 3, qPrintable(tone.line.name()));
    }
    for (const Theme::Tone &tone : theme.tones) {
        QVERIFY(reads(theme.text, tone.fill));
        QVERIFY(reads(tone.text, tone.fill));
        QVERIFY2(contrast(tone.line, tone.fill) >= 3, qPrintable(tone.line.name()));
        QVERIFY2(contrast(theme.accent, tone.fill) >= 3, qPrintable(tone.fill.name()));
    }
    QVERIFY(reads(theme.accent, theme.accentFill));
    QVERIFY(reads(theme.accentText, theme.accent));
    QVERIFY(reads(theme.warning, theme.warningFill));
    QVERIFY(reads(theme.moodText(Mood::Failed), theme.warningFill));
    const QPalette palette = theme.palette();
    QVERIFY(reads(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)));
    QVERIFY(reads(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)));
    QVERIFY(reads(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase)));
}

void TestChartTheme::chipsHoldTheirWord()
{
    const Theme theme = Theme::light();
    const QSizeF size = chipSize(u"Succeeded"_s, QFont());
    QVERIFY(size.width() > QFontMetricsF(QFont()).horizontalAdvance(u"Succeeded"_s));
    const auto painted = [&](Mood mood, const QString &word, double width) {
        QImage picture(160, 40, QImage::Format_RGB32);
        picture.fill(theme.base);
        QPainter painter(&picture);
        paintChip(painter, QRectF(0, 0, width, 40), mood, word, theme);
        return picture;
    };
    // The shape tells moods apart even for those who see no colours.
    const auto isGrey = [&](Mood a, Mood b) {
        return painted(a, {}, 160).convertToFormat(QImage::Format_Grayscale8)
            == painted(b, {}, 160).convertToFormat(QImage::Format_Grayscale8);
    };
    const std::array moods { Mood::Rest, Mood::Working, Mood::Removing, Mood::Failed, Mood::Absent,
        Mood::Waiting, Mood::Gone };
    for (const Mood a : moods) {
        for (const Mood b : moods)
            QCOMPARE(isGrey(a, b), a == b);
    }
    const QImage cut = painted(Mood::Rest, u"Succeeded"_s, size.width() / 2);
    for (int x = int(size.width() / 2) + 2; x < 160; ++x)
        QCOMPARE(cut.pixelColor(x, 20), theme.base);
}

const instar::TestClass<TestChartTheme, QApplication> registered;
#include "tst_charttheme.moc"
