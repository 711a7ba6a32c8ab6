// SPDX-License-Identifier: Apache-2.0
// What states mean and how that is coloured and shaped.
#include "model/json/library.h"
#include "tests/support/testclass.h"
#include "views/drawing/chip.h"
#include "views/drawing/theme.h"
#include "views/drawing/timelinepicture.h"
#include "views/fieldstyle.h"
#include "views/look.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFontMetricsF>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>

#include <array>
#include <cmath>
#include <initializer_list>

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
    void statusCategories_data() const;
    void statusCategories();
    void contrasts_data() const { addRowsOf("name", Theme::names()); }
    void contrasts();
    void everyPair_data() const { contrasts_data(); }
    void everyPair();
    void styleSheetReads_data() const { contrasts_data(); }
    void styleSheetReads();
    void fieldsAreFramed_data() const { contrasts_data(); }
    void fieldsAreFramed();
    void textsHaveRoom();
    void highContrastIsHigh();
    void everyKindOfEye();
    void disabled_data() const { contrasts_data(); }
    void disabled();
    void chipsHoldTheirWord();
};

void TestChartTheme::statusCategories_data() const
{
    addColumns<QString, QString>("pack", "expected");
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

void TestChartTheme::statusCategories()
{
    QFETCH(QString, pack);
    const Rules rules = valueOf(rulesOf(pack));
    const QStringList names { u"Rest"_s, u"Working"_s, u"Removing"_s, u"Failed"_s, u"Absent"_s,
        u"Waiting"_s, u"Gone"_s };
    QStringList found;
    for (const State &state : rules.pack().machines[0].states) {
        if (!rules.applies(state))
            continue;
        const StatusCategory statusCategory =
            statusCategoryOf(rules, rules.stateNamed(0, state.id));
        found += state.id + u' ' + names[int(statusCategory)];
        QCOMPARE(statusCategoryOfWord(rules, 0, state.id), statusCategory);
    }
    QTEST(found.join(u", "), "expected");
    QCOMPARE(statusCategoryOfWord(rules, 0, u"no such word"_s), StatusCategory::Rest);
}

/// What cannot be used now can be read all the same, and told from what can.
void TestChartTheme::disabled()
{
    QFETCH(QString, name);
    const QPalette palette = Theme::named(name)->palette();
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
    QFETCH(QString, name);
    const Theme theme = *Theme::named(name);
    QCOMPARE(theme.isDark, name == u"dark");
    const auto reads = [](const QColor &text, const QColor &ground) {
        return contrast(text, ground) >= 4.5;
    };
    for (const QColor &ground : { theme.window, theme.base, theme.alternate }) {
        QVERIFY(contrast(theme.line, ground) >= 3);
        QVERIFY2(contrast(theme.dimLine, ground) >= 3, qPrintable(theme.dimLine.name()));
        for (const Theme::Tone &tone : theme.tones)
            QVERIFY2(contrast(tone.line, ground) >= 3, qPrintable(tone.line.name()));
    }
    for (const Theme::Tone &tone : theme.tones) {
        QVERIFY(contrast(timelineGridColour(theme), theme.base) * 1.5
            < contrast(tone.line, theme.base));
        QVERIFY2(contrast(tone.line, tone.fill) >= 3, qPrintable(tone.line.name()));
        QVERIFY2(contrast(theme.accent, tone.fill) >= 3, qPrintable(tone.fill.name()));
    }
    QVERIFY(reads(theme.statusCategoryText(StatusCategory::Failed), theme.warningFill));
    const QPalette palette = theme.palette();
    QVERIFY(reads(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)));
    QVERIFY(reads(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)));
    QVERIFY(reads(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase)));
}

/// Every text on every ground that it stands on: 4.5 to 1.
void TestChartTheme::everyPair()
{
    QFETCH(QString, name);
    const Theme theme = *Theme::named(name);
    QList<std::pair<QColor, QColor>> pairs;
    const auto on = [&](const QColor &text, const QList<QColor> &grounds) {
        for (const QColor &ground : grounds)
            pairs += { text, ground };
    };
    QList<QColor> fills;
    for (const Theme::Tone &tone : theme.tones) {
        fills += tone.fill;
        on(tone.text, { tone.fill, theme.base, theme.window, theme.alternate });
    }
    const QList<QColor> panels { theme.window, theme.base, theme.alternate };
    on(theme.text, panels + fills + QList<QColor> { theme.accentFill, theme.warningFill });
    on(theme.dimText, panels + QList<QColor> { theme.accentFill });
    on(theme.accent, panels + QList<QColor> { theme.accentFill });
    on(theme.accentText, { theme.accent });
    on(theme.warning, panels + QList<QColor> { theme.warningFill });
    on(theme.base, { theme.text }); // a caption
    for (const auto &[text, ground] : std::as_const(pairs))
        QVERIFY2(contrast(text, ground) >= 4.5,
            qPrintable(
                u"%1 on %2: %3"_s.arg(text.name(), ground.name()).arg(contrast(text, ground))));
}

/// Every rule of the style sheet that names a colour of text: on its own ground, or on those that
/// it may lie on. Where the keyboard is, is seen by a line.
void TestChartTheme::styleSheetReads()
{
    QFETCH(QString, name);
    const Theme theme = *Theme::named(name);
    static const QRegularExpression rule(u"([^{}]+)\\{([^}]*)\\}"_s),
        text(u"(?<![-\\w])color:\\s*(#\\w{6})"_s), ground(u"background:\\s*(#\\w{6})"_s),
        line(u"border[-\\w]*:[^;]*(#\\w{6})"_s);
    int tabs = 0, focused = 0;
    QRegularExpressionMatchIterator rules = rule.globalMatch(styleSheet(theme));
    while (rules.hasNext()) {
        const QRegularExpressionMatch found = rules.next();
        const QString selector = found.captured(1).trimmed(), body = found.captured(2);
        const QRegularExpressionMatch letters = text.match(body), fill = ground.match(body);
        const QList<QColor> grounds = fill.hasMatch()
            ? QList { QColor(fill.captured(1)) }
            : QList { theme.window, theme.base, theme.alternate };
        if (letters.hasMatch() && !selector.contains(u":disabled")) {
            for (const QColor &under : grounds)
                QVERIFY2(contrast(QColor(letters.captured(1)), under) >= 4.5, qPrintable(selector));
        }
        tabs += selector.contains(u"QTabBar::tab") && letters.hasMatch() && fill.hasMatch();
        if (selector.contains(u":focus") && line.match(body).hasMatch()) {
            ++focused;
            for (const QColor &under : { theme.window, theme.base })
                QVERIFY2(contrast(QColor(line.match(body).captured(1)), under) >= 3,
                    qPrintable(selector));
        }
    }
    QCOMPARE(tabs, 4); // at rest, under the mouse, in front, with the keyboard
    QVERIFY(focused >= 5);
}

/// Everything that can be typed into is seen to begin and end somewhere (WCAG 1.4.11).
void TestChartTheme::fieldsAreFramed()
{
    QFETCH(QString, name);
    const Theme theme = *Theme::named(name);
    FieldStyle style;
    QWidget window;
    window.setPalette(theme.palette());
    QLineEdit line;
    QComboBox box;
    QSpinBox spin;
    for (QWidget *field : std::initializer_list<QWidget *> { &line, &box, &spin }) {
        field->setParent(&window);
        field->setStyle(&style);
        field->setPalette(theme.palette());
        field->resize(120, 30);
        for (const bool isOn : { true, false }) {
            field->setEnabled(isOn);
            const QImage picture = field->grab().toImage();
            const QColor left = picture.pixelColor(0, 15), top = picture.pixelColor(40, 0);
            QCOMPARE(left, isOn ? theme.line : theme.quietLine);
            QCOMPARE(top, left);
            QVERIFY(!isOn || contrast(left, theme.base) >= 3);
            if (field != &spin) // flat: as the page is, above and below
                QCOMPARE(picture.pixelColor(90, 4), picture.pixelColor(90, 25));
            if (isOn && field == &box)
                QCOMPARE(picture.pixelColor(90, 4), theme.base);
        }
    }
    for (QWidget *field : std::initializer_list<QWidget *> { &line, &box, &spin })
        field->setParent(nullptr);
    QCheckBox check(u"x"_s);
    check.setStyle(&style);
    check.setPalette(theme.palette());
    for (const bool isOn : { true, false }) {
        check.setEnabled(isOn);
        const QImage picture = check.grab().toImage();
        int framed = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < std::min(18, picture.width()); ++x) // the box, left of its text
                framed += picture.pixelColor(x, y) == (isOn ? theme.line : theme.quietLine);
        }
        QVERIFY2(framed > 20, qPrintable(u"%1"_s.arg(framed)));
    }
}

/// Around the texts of rows and fields; a cell's text begins below that of its header.
void TestChartTheme::textsHaveRoom()
{
    FieldStyle style;
    QLineEdit line;
    line.setStyle(&style);
    line.ensurePolished();
    QCOMPARE(line.textMargins().left(), gap::small);
    QListWidget list;
    list.setStyle(&style);
    list.ensurePolished();
    list.addItem(u"x"_s);
    QVERIFY(list.sizeHintForRow(0) >= list.fontMetrics().height() + gap::normal);
    QCOMPARE(style.pixelMetric(QStyle::PM_FocusFrameHMargin) + 1, gap::normal);
}

/// WCAG's higher level: 7 to 1 for all text, and lines like text.
void TestChartTheme::highContrastIsHigh()
{
    const Theme theme = Theme::highContrast();
    for (const QColor &ground : { theme.window, theme.base, theme.alternate }) {
        for (const QColor &text : { theme.text, theme.dimText, theme.accent, theme.warning })
            QVERIFY(contrast(text, ground) >= 7);
        QVERIFY(contrast(theme.line, ground) >= 4.5);
        QVERIFY(contrast(theme.dimLine, ground) >= 4.5);
        QVERIFY(contrast(theme.quietLine, ground) >= 4.5);
    }
    for (const Theme::Tone &tone : theme.tones) {
        QVERIFY(contrast(tone.text, tone.fill) >= 7);
        QVERIFY(contrast(tone.line, tone.fill) >= 4.5);
    }
}

namespace {

using Cone = std::array<std::array<double, 3>, 3>;

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

/// CIE L*a*b* of a colour as an eye sees it: in linear light, then by its matrix.
std::array<double, 3> seenBy(const Cone &eye, const QColor &colour)
{
    const std::array<double, 3> light { linear(colour.redF()), linear(colour.greenF()),
        linear(colour.blueF()) };
    std::array<double, 3> rgb {};
    for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 3; ++j)
            rgb[i] += eye[i][j] * light[j];
        rgb[i] = std::clamp(rgb[i], 0.0, 1.0);
    }
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047);
    const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
    return { 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

/// The least difference of two status categories' lines, over usual eyes and those that lack one
/// kind of cones (Machado, Oliveira, Fernandes 2009, severity 1).
double leastDifference(const Theme &theme)
{
    const QList<Cone> eyes { { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
        { { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
            { -0.003882, -0.048116, 1.051998 } } },
        { { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
            { -0.011820, 0.042940, 0.968881 } } },
        { { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
            { 0.004733, 0.691367, 0.303900 } } } };
    double least = 1000;
    for (const Cone &eye : eyes) {
        for (size_t i = 0; i < theme.tones.size(); ++i) {
            for (size_t j = 0; j < i; ++j) {
                const auto a = seenBy(eye, theme.tones[i].line),
                           b = seenBy(eye, theme.tones[j].line);
                least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
            }
        }
    }
    return least;
}

} // namespace

void TestChartTheme::everyKindOfEye()
{
    const double least = leastDifference(*Theme::named(u"colour-blind"_s));
    QVERIFY2(least >= 25, qPrintable(QString::number(least)));
    QVERIFY(leastDifference(Theme::light()) < 10); // which is why there is another one
}

void TestChartTheme::chipsHoldTheirWord()
{
    const Theme theme = Theme::light();
    const QSizeF size = chipSize(u"Succeeded"_s, QFont());
    QVERIFY(size.width() > QFontMetricsF(QFont()).horizontalAdvance(u"Succeeded"_s));
    const auto painted = [&](StatusCategory statusCategory, const QString &word, double width) {
        QImage picture(160, 40, QImage::Format_RGB32);
        picture.fill(theme.base);
        QPainter painter(&picture);
        paintChip(painter, QRectF(0, 0, width, 40), statusCategory, word, theme);
        return picture;
    };
    // The shape tells status categories apart even for those who see no colours.
    const auto isGrey = [&](StatusCategory a, StatusCategory b) {
        return painted(a, {}, 160).convertToFormat(QImage::Format_Grayscale8)
            == painted(b, {}, 160).convertToFormat(QImage::Format_Grayscale8);
    };
    const std::array statusCategories { StatusCategory::Rest, StatusCategory::Working,
        StatusCategory::Removing, StatusCategory::Failed, StatusCategory::Absent,
        StatusCategory::Waiting, StatusCategory::Gone };
    for (const StatusCategory a : statusCategories) {
        for (const StatusCategory b : statusCategories)
            QCOMPARE(isGrey(a, b), a == b);
    }
    const QImage cut = painted(StatusCategory::Rest, u"Succeeded"_s, size.width() / 2);
    for (int x = int(size.width() / 2) + 2; x < 160; ++x)
        QCOMPARE(cut.pixelColor(x, 20), theme.base);
}

const instar::TestClass<TestChartTheme, QApplication> registered;
#include "tst_charttheme.moc"
