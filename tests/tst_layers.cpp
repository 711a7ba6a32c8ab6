// SPDX-License-Identifier: Apache-2.0
// Who may include whom, and what every source file owes: the build alone does not enforce it, since
// all Qt headers are in reach of every target.

#include "tests/support/sources.h"
#include "tests/support/testclass.h"

#include <QLibraryInfo>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

/// Files whose path begins with `path` may include project files that begin with one of `project`,
/// and headers of the Qt modules `qt`. A file belongs to the first row that fits.
struct Area
{
    QString path;
    QStringList project, qt;
};

const QStringList core { u"QtCore"_s };
const QStringList gui { u"QtCore"_s, u"QtGui"_s, u"QtSvg"_s };
const QStringList network { u"QtCore"_s, u"QtNetwork"_s };
const QStringList widgets = gui + QStringList { u"QtWidgets"_s, u"QtDBus"_s };

const QString result = u"model/result.h"_s;
const QString foreign = u"model/foreigntext."_s;
const QString task = u"model/task."_s;
const QString budget = u"model/budget."_s;
const QString fresh = u"model/freshtoken."_s;
const QString pack = u"model/pack/"_s;
const QString engine = u"model/engine/"_s;
const QString explore = u"model/explore/"_s;
const QString conformance = u"model/conformance/"_s;
const QString items = u"model/items/"_s;
const QString json = u"model/json/"_s;
const QString layout = u"model/layout/"_s;
const QString statecharts = u"model/statecharts/"_s;
const QString openapi = u"model/openapi/"_s;
const QString http = u"model/http/"_s;
const QString remote = u"model/remote/"_s;
const QString drawing = u"views/drawing/"_s;
const QString document = u"views/document/"_s;
const QStringList basics { result, foreign, budget };
const QStringList model =
    basics + QStringList { fresh, task, pack, engine, explore, conformance, items, json, layout };
/// What others may see of model/statecharts: the value, reading and writing it, packs of it and
/// playing it.
const QStringList door { statecharts + u"statechart.h"_s, statecharts + u"statecharts.h"_s,
    statecharts + u"chartfile.h"_s, statecharts + u"conversion.h"_s,
    statecharts + u"interpreter.h"_s, statecharts + u"machinechart.h"_s,
    statecharts + u"machinefile.h"_s, statecharts + u"chartrules.h"_s };

/// What programs may see of model/openapi: reading a description, and the pack made of it.
const QStringList importing { openapi + u"description.h"_s };

const QList<Area> areas {
    { result, {}, core },
    { foreign, { foreign }, core },
    { task, { task }, core },
    { budget, { budget }, core },
    { fresh, { fresh }, core },
    { pack, { pack, result }, core },
    { engine, basics + QStringList { engine, pack }, core },
    { explore, basics + QStringList { explore, engine, pack }, core },
    { conformance, basics + QStringList { conformance, explore, engine, pack }, core },
    { items, basics + QStringList { items, conformance, explore, engine, json, pack, task }, core },
    { layout, { layout, pack, budget, result }, core },
    { json, basics + QStringList { json, engine, pack }, core },
    { statecharts, basics + QStringList { statecharts, json, engine, pack }, core },
    { openapi, basics + QStringList { openapi, json, pack }, core },
    { http, { http, result }, network },
    { remote, model + QStringList { http, remote }, network },
    { drawing, model + door + QStringList { drawing }, gui },
    { document, model + door + QStringList { document }, gui },
    { u"views/"_s, model + door + QStringList { u"views/"_s }, widgets },
    { u"app/cli/"_s,
        model + door + QStringList { u"app/cli/"_s, u"app/version.h"_s, http, remote, drawing }
            + importing,
        gui + network },
    { u"app/"_s, model + door + QStringList { u"app/"_s, u"views/"_s, http, remote } + importing,
        widgets + network },
};

/// The module of a Qt header such as QWidget or QtWidgets/qwidget.h; empty: not Qt's.
QString qtModule(const QString &header)
{
    static const QRegularExpression qualified(u"^(Qt[A-Z][A-Za-z]*)/"_s);
    if (const auto match = qualified.match(header); match.hasMatch())
        return match.captured(1);
    if (header == u"queue" || !header.startsWith(u'q', Qt::CaseInsensitive)
        || header.contains(u'/'))
        return {};
    const QDir headers(QLibraryInfo::path(QLibraryInfo::HeadersPath));
    const QStringList modules = headers.entryList({ u"Qt*"_s }, QDir::Dirs);
    for (const QString &module : modules) {
        if (QFile::exists(headers.filePath(module + u'/' + header)))
            return module;
    }
    return u"an unknown Qt module"_s;
}

/// Words that only these files may use, and what others use instead: text and files from elsewhere
/// go through few functions.
struct OneDoor
{
    QRegularExpression words;
    QStringList files;
    QString instead;
};

const QList<OneDoor> oneDoors {
    { QRegularExpression(u"::Read(?:Only|Write)\\b|\\b(?:ifstream|fopen)\\b"_s),
        { u"model/json/filebytes.cpp"_s }, u"opens a file to read it; fileBytes() does that"_s },
    { QRegularExpression(u"\\bstd::(?:cout|cerr|clog)\\b|\\b(?:f?printf|f?puts|fwrite|putchar)\\(|"
                         "QTextStream|\\bq(?:Debug|Info|Warning|Critical)\\("_s),
        { u"app/cli/console.cpp"_s, u"app/filedialogs.cpp"_s },
        u"writes to a terminal; print(), warn(), complain() and printToStderr() do that"_s },
    { QRegularExpression(
          u"\\bQTextBrowser\\b|\\bQTextEdit\\b(?!::)|QDesktopServices|"
          "OpenExternalLinks|\\bQTextDocument\\b(?! ?[*&>])|Qt::(?:Rich|Auto|Markdown)Text|"
          "mightBeRichText|WhatsThis"_s),
        { u"views/htmlview.h"_s, u"views/htmlview.cpp"_s, u"views/tips.cpp"_s,
            u"views/fieldstyle.cpp"_s, u"views/look.cpp"_s },
        u"shows markup; HtmlView and HtmlLabel do that, and load nothing"_s },
    { QRegularExpression(u"(?:\\.|->)draw(?:Static)?Text\\("_s), { u"views/drawing/text.cpp"_s },
        u"draws a text; drawText() of views/drawing/text.h does that"_s },
    { QRegularExpression(u"QToolTip::showText"_s), { u"views/tips.cpp"_s },
        u"shows a tip; showPlainTip() and showHtmlTip() do that"_s },
};

bool beginsWithOneOf(const QString &text, const QStringList &beginnings)
{
    return std::ranges::any_of(beginnings, [&](const QString &b) { return text.startsWith(b); });
}

/// Whether a line writes a file otherwise than by model/json/saving.h, which alone makes sure
/// that nothing is lost. `text`: the whole source; a QBuffer of it may be opened for writing.
bool writesFile(const QString &file, const QString &line, const QString &text)
{
    static const QRegularExpression writer(
        u"\\bQ(SaveFile|TemporaryFile)\\b|\\bo?fstream\\b|\\bf(re)?open\\(|"
        "\\bO_(WRONLY|RDWR|CREAT)\\b|"
        "\\bQFile::(rename|copy|resize|WriteOnly|ReadWrite|Append|Truncate)\\b"_s);
    static const QRegularExpression opened(
        u"(\\w+)(\\.|->)open\\(QIODevice(Base)?::(WriteOnly|ReadWrite|Append)\\b"_s);
    if (file.startsWith(u"model/json/saving."))
        return false;
    if (line.contains(u"QSettings") && file != u"app/settings.cpp") // which only reads by it
        return true;
    const QRegularExpressionMatch match = opened.match(line);
    return line.contains(writer)
        || (match.hasMatch() && !text.contains(u"QBuffer "_s + match.captured(1)));
}

/// What is wrong with one line's include; empty: nothing.
QString wrongInclude(const Area &area, const QString &header)
{
    static const QStringList roots { u"app/"_s, u"model/"_s, u"views/"_s };
    if (beginsWithOneOf(header, roots)) {
        if (beginsWithOneOf(header, area.project))
            return {};
        return u"includes %1, allowed are %2"_s.arg(header, area.project.join(u' '));
    }
    const QString module = qtModule(header);
    if (module.isEmpty() || area.qt.contains(module))
        return {};
    return u"includes %1 of %2, allowed are %3"_s.arg(header, module, area.qt.join(u' '));
}

/// One line `file:line: what is wrong` per fault.
QStringList violations(const QString &file, const QString &text)
{
    static const QRegularExpression include(u"^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]"_s);
    static const QRegularExpression system(
        u"network.?controller|blazar|pulumi|\\baps\\b|logicalNetworks|provisioningState"_s,
        QRegularExpression::CaseInsensitiveOption);

    const auto area =
        std::ranges::find_if(areas, [&](const Area &a) { return file.startsWith(a.path); });
    if (area == areas.end())
        return { u"%1:1: belongs to no area of tst_layers"_s.arg(file) };

    QStringList faults;
    const QStringList lines = text.split(u'\n');
    const auto fault = [&](qsizetype line, const QString &what) {
        faults += u"%1:%2: %3"_s.arg(file).arg(line + 1).arg(what);
    };
    if (lines.first() != u"// SPDX-License-Identifier: Apache-2.0")
        fault(0, u"does not begin with the SPDX line"_s);
    if (file.endsWith(u".h") && !lines.contains(u"#pragma once"_s))
        fault(0, u"has no #pragma once"_s);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (writesFile(file, lines[i], text))
            fault(i, u"writes a file; use writeFile()"_s);
        if (const auto match = system.match(lines[i]); match.hasMatch())
            fault(i, u"names a system: %1"_s.arg(match.captured()));
        for (const OneDoor &rule : oneDoors) {
            if (!rule.files.contains(file) && rule.words.match(lines[i]).hasMatch())
                fault(i, rule.instead);
        }
        const auto match = include.match(lines[i]);
        if (!match.hasMatch())
            continue;
        const QString header = match.captured(2);
        if (match.captured(1) == u"\"" && !header.contains(u'/') && !header.endsWith(u".moc"))
            fault(i, u"includes %1 not from the root"_s.arg(header));
        else if (const QString wrong = wrongInclude(*area, header); !wrong.isEmpty())
            fault(i, wrong);
    }
    return faults;
}

/// The types that a text defines for others, with their namespaces: none that is inside another
/// type, a function or an anonymous namespace.
QStringList typesIn(QString text)
{
    static const QRegularExpression silent( // comments, raw strings, strings and characters
        u"//[^\\n]*|/\\*.*?\\*/|R\"\\(.*?\\)\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|(?<!\\w)'(?:\\\\.|[^'\\\\\\n])+'"_s,
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression token(u"\\bnamespace\\b\\s*([\\w:]*)\\s*\\{|\\b(?:struct|class|"
                                          u"union|enum(?:\\s+class)?)\\s+(\\w+)\\b"
                                          "(?!\\s*::)(?:\\s+final)?\\s*(?::[^;{}()]*)?\\{|[{}]"_s);
    QStringList found, open; // of what is open: a namespace, "anonymous", or empty for all else
    text.replace(silent, u" "_s);
    for (auto it = token.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        if (match.captured() == u"}") {
            if (!open.isEmpty())
                open.removeLast();
        } else if (match.captured().startsWith(u"namespace")) {
            open += match.captured(1).isEmpty() ? u"anonymous"_s : match.captured(1);
        } else {
            const bool isOwn = open.contains(QString()) || open.contains(u"anonymous"_s);
            if (!match.captured(2).isEmpty() && !isOwn)
                found += (open + QStringList { match.captured(2) }).join(u"::"_s);
            open += QString();
        }
    }
    return found;
}

class TestLayers : public QObject
{
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void sources();
    void findsTypes();
    void typesAreDefinedOnce();
};

void TestLayers::finds_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("line");  // after the SPDX line and #pragma once
    QTest::addColumn<QString>("fault"); // what the message contains; empty: none

    const auto row = [](const char *file, const char *line, const char *fault) {
        QTest::addRow("%s: %s", file, line)
            << QString::fromUtf8(file) << QString::fromUtf8(line) << QString::fromUtf8(fault);
    };
    row("model/result.h", "#include \"model/pack/pack.h\"", "includes model/pack/pack.h");
    row("model/pack/a.h", "#include \"model/result.h\"", "");
    row("model/pack/a.h", "#include \"model/engine/step.h\"",
        "model/pack/a.h:3: includes model/engine/step.h, allowed are model/pack/ "
        "model/result.h");
    row("model/pack/a.h", "#include <QString>", "");
    row("model/pack/a.h", "#include <QtGlobal>", "");
    row("model/pack/a.h", "#include <vector>", "");
    row("model/pack/a.h", "#include <QtWidgets>", "includes QtWidgets of QtWidgets");
    row("model/pack/a.cpp", "#include <QColor>", "includes QColor of QtGui, allowed are QtCore");
    row("model/pack/a.cpp", "  #  include <QtGui/QColor>", "includes QtGui/QColor of QtGui");
    row("model/pack/a.cpp", "#include <qcolor.h>", "includes qcolor.h of QtGui");
    row("model/pack/a.cpp", "#include <QNoSuchThing>", "of an unknown Qt module");
    row("model/engine/a.h", "#include \"model/pack/pack.h\"", "");
    row("model/engine/a.h", "#include \"model/json/packfile.h\"", "includes model/json/packfile.h");
    row("model/engine/a.cpp", "#include <QTcpSocket>", "includes QTcpSocket of QtNetwork");
    row("model/items/a.h", "#include \"model/json/packfile.h\"", "");
    row("model/items/a.h", "#include <QStandardItemModel>", "of QtGui");
    row("model/json/a.cpp", "#include \"model/engine/scenario.h\"", "");
    row("model/remote/a.cpp", "#include \"views/document.h\"", "includes views/document.h");
    row("views/drawing/a.cpp", "#include <QWidget>", "includes QWidget of QtWidgets");
    row("views/drawing/a.cpp", "#include \"model/http/http.h\"", "includes model/http/http.h");
    row("views/document/a.cpp", "#include <QWidget>", "includes QWidget of QtWidgets");
    row("views/document/a.cpp", "#include \"views/drawing/theme.h\"",
        "includes views/drawing/theme.h");
    row("views/panels/a.cpp", "#include \"views/drawing/theme.h\"", "");
    row("views/panels/a.cpp", "#include \"model/http/http.h\"", "includes model/http/http.h");
    row("views/panels/a.cpp", "#include \"app/settings.h\"", "includes app/settings.h");
    row("views/panels/a.cpp", "#include \"panel.h\"", "includes panel.h not from the root");
    row("views/panels/a.cpp", "#include \"a.moc\"", "");
    row("app/mainwindow.cpp", "#include \"model/remote/server.h\"", "");
    row("app/cli/cli.cpp", "#include \"views/drawing/chart.h\"", "");
    row("app/cli/cli.cpp", "#include \"views/document.h\"", "includes views/document.h");
    row("app/cli/run.cpp", "#include <QApplication>", "includes QApplication of QtWidgets");
    row("app/cli/run.cpp", "#include \"app/mainwindow.h\"", "includes app/mainwindow.h");
    row("other/a.h", "", "belongs to no area");
    row("model/engine/a.cpp", "// as Network Controller has it",
        "names a system: Network Controller");
    row("model/engine/a.cpp", "if (id == u\"aps\")", "names a system: aps");
    row("model/engine/a.cpp", "swaps caps of gaps", "");
    row("app/a.cpp", "QSaveFile target(name);", "writes a file; use writeFile()");
    row("app/a.cpp", "QSettings().setValue(key, value);", "writes a file");
    row("app/a.cpp", "QFile a(name); a.open(QIODevice::WriteOnly);", "writes a file");
    row("app/a.cpp", "QBuffer buffer; buffer.open(QIODevice::WriteOnly);", "");
    row("model/engine/a.cpp", "std::ofstream out(name);", "writes a file");
    row("model/json/saving.cpp", "::open(name, O_WRONLY | O_CREAT);", "");
    row("views/panels/a.cpp", "u\"/properties/provisioningState\"", "names a system");
    row("app/a.cpp", "file.open(QIODevice::ReadOnly)", "fileBytes() does that");
    row("model/json/filebytes.cpp", "file.open(QIODevice::ReadOnly)", "");
    row("app/a.cpp", "edit->setReadOnly(true);", "");
    row("app/cli/run.cpp", "std::cout << name;", "print(), warn()");
    row("app/cli/run.cpp", "std::printf(\"%s\", name);", "print(), warn()");
    row("app/cli/run.cpp", "QTextStream(stdout) << name;", "print(), warn()");
    row("app/cli/console.cpp", "std::fputs(text, stderr);", "");
    row("model/engine/a.cpp", "output(name);", "");
    row("views/panels/a.cpp", "new QTextBrowser(this)", "HtmlView");
    row("views/panels/a.cpp", "class A : public QTextEdit", "HtmlView");
    row("views/panels/a.cpp", "QList<QTextEdit::ExtraSelection> all;", "");
    row("views/panels/a.cpp", "QTextDocument page;", "HtmlView");
    row("views/panels/a.cpp", "void show(QTextDocument *page);", "");
    row("views/panels/a.cpp", "label->setTextFormat(Qt::RichText);", "HtmlLabel");
    row("views/panels/a.cpp", "label->setTextFormat(Qt::PlainText);", "");
    row("views/panels/a.cpp", "label->setOpenExternalLinks(true);", "HtmlLabel");
    row("views/panels/a.cpp", "QDesktopServices::openUrl(url);", "HtmlView");
    row("views/panels/a.cpp", "QToolTip::showText(place, text, this);", "showPlainTip()");
    row("views/panels/a.cpp", "painter.drawText(place, name);", "views/drawing/text.h");
    row("views/panels/a.cpp", "drawText(painter, place, name);", "");
    row("views/htmlview.cpp", "QDesktopServices::openUrl(url);", "");
}

void TestLayers::finds()
{
    QFETCH(QString, file);
    QFETCH(QString, line);
    QFETCH(QString, fault);
    const QString spdx = u"// SPDX-License-Identifier: Apache-2.0\n"_s;
    const QString once = u"#pragma once\n"_s;

    const QString found = violations(file, spdx + once + line).join(u'\n');
    if (fault.isEmpty())
        QCOMPARE(found, QString());
    QVERIFY2(found.contains(fault), qUtf8Printable(found));

    if (file == u"model/pack/a.h") {
        QCOMPARE(violations(file, spdx), QStringList(file + u":1: has no #pragma once"_s));
        QCOMPARE(
            violations(file, once), QStringList(file + u":1: does not begin with the SPDX line"_s));
    }
}

void TestLayers::findsTypes()
{
    const QString text = QString::fromUtf8(R"--(
// class Comment {
namespace instar {
class Forward;
enum class Kind : quint8 { A, B };
struct Point final : public Base<int> { struct Inner { int x; }; enum Word { C }; };
class Point::Hidden { };
template<typename T> class List { void f() { struct Local { }; } };
using Alias = int;
const char *text = "class Quoted {"; char brace = '{'; auto raw = R"(struct Raw {)";
int thousands = 1'000'000;
namespace { struct Own { }; }
namespace network { class Door { }; }
}
struct Global { };
)--");
    QCOMPARE(typesIn(text).join(u' '),
        u"instar::Kind instar::Point instar::List instar::network::Door Global"_s);
}

/// One name is one type in all of the program: two would be mistaken for each other where both are
/// linked, and no compiler says so.
void TestLayers::typesAreDefinedOnce()
{
    const QMap<QString, QString> sources = instar::sourcesIn({ u"app"_s, u"model"_s, u"views"_s });
    QMap<QString, QStringList> places;
    for (const auto &[file, text] : sources.asKeyValueRange()) {
        QStringList types = typesIn(text);
        types.removeDuplicates(); // of branches of the preprocessor
        for (const QString &type : std::as_const(types))
            places[type] += file;
    }
    QVERIFY2(places.contains(u"instar::World"_s), "the types were not found");
    QStringList faults;
    for (auto it = places.cbegin(); it != places.cend(); ++it) {
        if (it->size() > 1)
            faults += u"%1 is defined in %2: give one of them two words, or a namespace"_s.arg(
                it.key(), it->join(u" and in "_s));
    }
    QVERIFY2(faults.isEmpty(), qUtf8Printable(u'\n' + faults.join(u'\n')));
}

void TestLayers::sources()
{
    const QMap<QString, QString> sources = instar::sourcesIn({ u"app"_s, u"model"_s, u"views"_s });
    QStringList faults;
    for (const auto &[file, text] : sources.asKeyValueRange())
        faults += violations(file, text);
    QVERIFY2(sources.size() > 5, "the sources were not found");
    QVERIFY2(faults.isEmpty(), qUtf8Printable(u'\n' + faults.join(u'\n')));
}

} // namespace

const instar::TestClass<TestLayers> registered;
#include "tst_layers.moc"
