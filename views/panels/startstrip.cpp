// SPDX-License-Identifier: Apache-2.0
#include "views/panels/startstrip.h"

#include "views/htmlview.h"
#include "views/icons.h"
#include "views/look.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int roomForNames = 560; ///< all systems are named in a strip that is as wide

QString link(const QString &target, const QString &text)
{
    return u"<a href='%1'>%2</a>"_s.arg(target.toHtmlEscaped(), text.toHtmlEscaped());
}

/// The title up to its first comma, where no other system has the same.
QString shortTitle(const StartStrip::Start &system, const QList<StartStrip::Start> &systems)
{
    const auto first = [](const StartStrip::Start &start) {
        return start.title.section(u',', 0, 0);
    };
    const auto same = std::ranges::count(systems, first(system), first);
    return same > 1 ? system.title : first(system);
}

} // namespace

StartStrip::StartStrip(const QList<Start> &systems, const QString &current, QWidget *parent)
    : QFrame(parent), m_text(new HtmlLabel)
{
    setObjectName(u"strip"_s);
    QStringList others;
    for (const Start &system : systems) {
        if (system.id != current)
            others += link(u"system:"_s + system.id, shortTitle(system, systems));
    }
    others += link(u"lessons:"_s, tr("lessons"));
    const QString guide = link(u"guide:"_s, tr("Guide"));
    const QStringList elsewhere { link(u"file:"_s, tr("open a file")),
        link(u"server:"_s, tr("connect to a server")) };
    m_starts = tr("%1 to this system. Or: %2").arg(guide, (others + elsewhere).join(u" · "_s));
    const QStringList few { guide, link(u"lessons:"_s, tr("other systems, lessons")) };
    m_fewStarts = (few + elsewhere).join(u" · "_s);

    setHint({}, {});
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::LinksAccessibleByKeyboard);
    connect(m_text, &QLabel::linkActivated, this, &StartStrip::open);
    auto *close = new QToolButton;
    close->setIcon(icon(u"close"_s));
    close->setToolTip(tr("Hide this hint"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &StartStrip::closed);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(gap::normal, gap::small, gap::small, gap::small);
    layout->addWidget(m_text, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
}

void StartStrip::setHint(const QString &lit, const QString &rival)
{
    m_rival = rival;
    QString hint;
    if (!lit.isEmpty() && !rival.isEmpty())
        hint = tr("It is alive: click the lit <b>%1</b> on the chart and watch it travel through "
                  "the tree. While it "
                  "runs, fire <b>%2</b> as another client and see who wins.")
                   .arg(lit.toHtmlEscaped(), rival.toHtmlEscaped());
    else if (!lit.isEmpty())
        hint = tr("It is alive: click the lit <b>%1</b> on the chart.").arg(lit.toHtmlEscaped());
    m_says = hint;
    m_hasBegun = false;
    showText();
}

void StartStrip::setPlayed()
{
    m_rival.clear();
    m_says = tr("All of it was played already: press <b>Play</b>, or drag the score's cursor, to "
                "see it.");
    m_hasBegun = false;
    showText();
}

bool StartStrip::follow()
{
    if (m_rival.isEmpty())
        return false;
    m_says = tr("It is on its way. While it runs, fire <b>%1</b> as another client: what would "
                "become of it stands below the fire bar.")
                 .arg(std::exchange(m_rival, {}).toHtmlEscaped());
    m_hasBegun = true;
    showText();
    return true;
}

void StartStrip::showText()
{
    const QString &starts = width() < roomForNames ? m_fewStarts : m_starts;
    const QString text = m_hasBegun ? m_says
        : m_says.isEmpty()          ? starts
                                    : m_says + u"<br>"_s + starts;
    if (text != m_text->text())
        m_text->setHtml(text);
}

void StartStrip::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    showText();
}

/// A link has the colour that links had when its text was set.
void StartStrip::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    m_text->clear();
    showText();
}

void StartStrip::open(const QString &link)
{
    if (link.startsWith(u"system:"))
        emit systemAsked(link.section(u':', 1));
    else if (link == u"guide:")
        emit guideAsked();
    else if (link == u"lessons:")
        emit lessonsAsked();
    else if (link == u"file:")
        emit fileAsked();
    else if (link == u"server:")
        emit serverAsked();
}

} // namespace instar
