// SPDX-License-Identifier: Apache-2.0
#include "views/panels/guide.h"

#include "model/items/words.h"
#include "views/look.h"
#include "views/panels/conditiontext.h"
#include "views/panels/inspectortext.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QPushButton>
#include <QTextBlockFormat>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

struct GuideWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::Guide)
};

/// A table of rich text; columns that are empty throughout are left out, and so is an empty table.
class Table
{
public:
    Table(const Theme &theme, const QString &title, const QStringList &heads)
        : m_theme(theme), m_title(title), m_heads(heads)
    { }

    /// `cells` are plain text.
    void add(const QStringList &cells) { m_rows += cells; }

    QString html() const
    {
        if (m_rows.isEmpty())
            return {};
        QString rows = line(m_heads, u"th align='left'"_s, m_theme.dimText);
        for (const QStringList &cells : m_rows)
            rows += line(cells, u"td"_s, m_theme.text);
        return u"<h2>%1</h2><table cellspacing='0' cellpadding='3' width='100%'>%2</table>"_s.arg(
            m_title.toHtmlEscaped(), rows);
    }

private:
    bool isUsed(qsizetype column) const
    {
        return std::ranges::any_of(
            m_rows, [&](const QStringList &cells) { return !cells[column].isEmpty(); });
    }
    QString line(const QStringList &cells, const QString &tag, const QColor &colour) const
    {
        QString html;
        for (qsizetype i = 0; i < cells.size(); ++i) {
            if (isUsed(i))
                html += u"<%1 valign='top' style='color:%2'>%3</%4>"_s.arg(
                    tag, colour.name(), cells[i].toHtmlEscaped(), tag.left(2));
        }
        return u"<tr>%1</tr>"_s.arg(html);
    }

    const Theme &m_theme;
    QString m_title;
    QStringList m_heads;
    QList<QStringList> m_rows;
};

QString kindWord(const State &state)
{
    switch (state.kind) {
    case State::Kind::Initial:
        return GuideWords::tr("not there");
    case State::Kind::Stable:
        return GuideWords::tr("stable");
    case State::Kind::Transitional:
        return GuideWords::tr("transitional");
    case State::Kind::Composite:
        return GuideWords::tr("composite");
    }
    return {};
}

QString statesText(const Machine &machine, const Theme &theme)
{
    const QString name = machine.title.isEmpty() ? machine.id : machine.title;
    Table table(theme, GuideWords::tr("States: %1").arg(name),
        { GuideWords::tr("state"), GuideWords::tr("kind"), GuideWords::tr("shown as"),
            GuideWords::tr("meaning"), GuideWords::tr("source") });
    for (const State &state : machine.states) {
        const QString id = state.label.isEmpty() || state.label == state.id
            ? state.id
            : u"%1 (%2)"_s.arg(state.label, state.id);
        table.add({ id, kindWord(state), state.as, state.about, state.sources.join(u", "_s) });
    }
    return table.html();
}

QString conflictsText(const Rules &rules, const Theme &theme)
{
    Table table(theme,
        GuideWords::tr("What operations do to each other (the first row that fits speaks)"),
        { GuideWords::tr("arrives"), GuideWords::tr("runs"), GuideWords::tr("where"),
            GuideWords::tr("if"), GuideWords::tr("then"), GuideWords::tr("why"),
            GuideWords::tr("source") });
    const auto any = [](const QStringList &words) {
        return words.isEmpty() ? GuideWords::tr("any") : words.join(u", "_s);
    };
    for (const Conflict &row : rules.pack().conflicts) {
        if (!rules.applies(row))
            continue;
        const QString then = row.then == Conflict::Then::Cancel ? GuideWords::tr("cancels it")
            : row.then == Conflict::Then::Reject ? GuideWords::tr("is refused: %1").arg(row.code)
            : row.then == Conflict::Then::Wait   ? GuideWords::tr("waits for it")
                                                 : GuideWords::tr("runs beside it");
        const QString condition = row.condition.kind == Condition::Kind::Always
            ? QString()
            : conditionText(row.condition);
        table.add({ any(row.on), any(row.running), any(row.at), condition, then, row.about,
            row.sources.join(u", "_s) });
    }
    return table.html();
}

QString operationsText(const Rules &rules, const Theme &theme)
{
    Table table(theme, GuideWords::tr("Operations"),
        { GuideWords::tr("operation"), GuideWords::tr("meaning"), GuideWords::tr("source") });
    for (const QString &name : rules.pack().operationNames()) {
        const auto row = std::ranges::find(rules.pack().operations, name, &OperationKind::id);
        const bool isDeclared = row != rules.pack().operations.end();
        table.add({ name, isDeclared ? row->about : QString(),
            isDeclared ? row->sources.join(u", "_s) : QString() });
    }
    return table.html();
}

QString switchesText(const Rules &rules, const Theme &theme)
{
    Table table(theme, GuideWords::tr("Switches: where the sources are silent or disagree"),
        { GuideWords::tr("switch"), GuideWords::tr("now"), GuideWords::tr("values"),
            GuideWords::tr("meaning") });
    for (const Switch &row : rules.pack().switches) {
        QStringList values;
        for (const QString &value : row.values)
            values += switchValueText(row, value);
        table.add({ spelledOut(row.id), switchValueText(row, rules.switches().value(row.id)),
            values.join(u", "_s), row.about });
    }
    return table.html();
}

QString sourcesText(const Rules &rules, const Theme &theme)
{
    Table table(theme, GuideWords::tr("Sources"),
        { GuideWords::tr("key"), GuideWords::tr("document"), GuideWords::tr("section"),
            GuideWords::tr("what it says") });
    for (const Source &source : rules.pack().sourceList)
        table.add({ source.id, source.document, source.section, source.about });
    return table.html();
}

} // namespace

QString systemText(const Rules &rules, const Theme &theme)
{
    QString html = operationsText(rules, theme);
    for (const Machine &machine : rules.pack().machines)
        html += statesText(machine, theme);
    return html + conflictsText(rules, theme) + switchesText(rules, theme)
        + sourcesText(rules, theme);
}

Guide::Guide(const Rules &rules, QWidget *parent)
    : QDialog(parent), m_rules(rules), m_text(new QTextBrowser)
{
    const Pack &pack = rules.pack();
    setWindowTitle(tr("Guide to %1").arg(pack.title.isEmpty() ? pack.id : pack.title));
    m_text->setOpenExternalLinks(true);
    m_text->setAccessibleName(windowTitle());
    m_text->document()->setDocumentMargin(gap::large);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(buttons);
    resize(860, 720);
    setTheme(m_theme);
}

/// The system's own page; what stands in its place where there is none.
QString Guide::pages() const
{
    const Pack &pack = m_rules.pack();
    QFile page(u":/instar/help/%1.md"_s.arg(pack.id));
    if (page.open(QIODevice::ReadOnly))
        return QString::fromUtf8(page.readAll());
    return u"# %1\n\n%2\n\n%3\n"_s.arg(
        pack.title.isEmpty() ? pack.id : pack.title, pack.origin, pack.about);
}

void Guide::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_text->document()->setMarkdown(pages());
    QTextCursor end(m_text->document());
    end.movePosition(QTextCursor::End);
    end.insertBlock(QTextBlockFormat(), QTextCharFormat());
    end.insertHtml(systemText(m_rules, m_theme));
    m_text->moveCursor(QTextCursor::Start);
}

} // namespace instar
