// SPDX-License-Identifier: Apache-2.0
#include "views/panels/headersedit.h"

#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// RFC 9110, 5.6.2: what a header's name is made of.
bool isToken(const QString &name)
{
    return !name.isEmpty() && std::ranges::all_of(name, [](QChar c) {
        return c.unicode() < 128
            && (c.isLetterOrNumber() || QStringView(u"!#$%&'*+-.^_`|~").contains(c));
    });
}

bool isControl(QChar c)
{
    return (c.unicode() < 0x20 && c != u'\t') || c.unicode() == 0x7f;
}

} // namespace

HeadersEdit::HeadersEdit(QWidget *parent)
    : QWidget(parent),
      m_list(new QWidget),
      m_listLayout(new QVBoxLayout(m_list)),
      m_scroll(new QScrollArea),
      m_add(new QToolButton),
      m_none(new QLabel(tr("No headers of its own"))),
      m_problem(new ElidedLabel)
{
    m_listLayout->setContentsMargins(0, 0, 0, 0);
    m_listLayout->setSpacing(gap::small);
    m_listLayout->addWidget(m_none);
    m_listLayout->addStretch();
    m_none->setProperty("dim", true);
    m_scroll->setWidget(m_list);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false); // whatever it stands on shows through
    m_list->setAutoFillBackground(false);
    m_scroll->setAccessibleName(tr("Headers"));
    m_scroll->setMinimumWidth(160);
    m_add->setText(tr("Add header"));
    m_add->setIcon(icon(u"add"_s));
    m_add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_add->setProperty("labelled", true);
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_add->setToolTip(tr("A header that the request brings; sent as it is"));
    m_problem->setForegroundRole(QPalette::BrightText);

    auto *foot = new QHBoxLayout;
    foot->setSpacing(gap::normal);
    foot->addWidget(m_problem, 1);
    foot->addWidget(m_add);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(foot);
    connect(m_add, &QToolButton::clicked, this, &HeadersEdit::addHeader);
    connect(this, &HeadersEdit::changed, this, &HeadersEdit::refresh);
}

RequestHeader HeadersEdit::Row::header() const
{
    return { name->text().trimmed(), value->text() };
}

QList<RequestHeader> HeadersEdit::headers() const
{
    QList<RequestHeader> headers;
    for (const Row &row : m_rows) {
        if (!row.header().name.isEmpty())
            headers += row.header();
    }
    return headers;
}

void HeadersEdit::setHeaders(const QList<RequestHeader> &headers)
{
    if (headers == this->headers())
        return;
    while (!m_rows.isEmpty())
        removeRow(m_rows.last().widget);
    for (const RequestHeader &header : headers)
        addRow(header);
    emit changed();
}

QString HeadersEdit::problem() const
{
    for (const Row &row : m_rows) {
        const RequestHeader header = row.header();
        if (header.name.isEmpty() && !header.value.isEmpty())
            return tr("The header with the value %1 needs a name.").arg(header.value);
        if (!header.name.isEmpty() && !isToken(header.name))
            return tr("%1 cannot be a header's name: use letters, digits and - only.")
                .arg(header.name);
        if (std::ranges::any_of(header.value, isControl))
            return tr("The value of %1 has a control character.").arg(header.name);
    }
    return {};
}

void HeadersEdit::addHeader()
{
    addRow({});
    m_rows.last().name->setFocus(Qt::OtherFocusReason);
    // Only after the layout has made room can it be scrolled to.
    QTimer::singleShot(
        0, m_scroll, [bar = m_scroll->verticalScrollBar()] { bar->setValue(bar->maximum()); });
}

void HeadersEdit::addRow(const RequestHeader &header)
{
    auto *widget = new QWidget;
    auto *name = new QLineEdit(header.name);
    auto *value = new QLineEdit(header.value);
    auto *remove = new QToolButton;
    name->setPlaceholderText(tr("Name"));
    name->setAccessibleName(tr("Header name"));
    auto *usual =
        new QCompleter({ u"Accept"_s, u"Authorization"_s, u"Content-Type"_s, u"If-Match"_s,
                           u"If-None-Match"_s, u"Prefer"_s, u"X-Request-Id"_s },
            name);
    usual->setCaseSensitivity(Qt::CaseInsensitive);
    name->setCompleter(usual);
    value->setPlaceholderText(tr("Value"));
    value->setAccessibleName(tr("Header value"));
    remove->setIcon(icon(u"close"_s));
    remove->setToolTip(tr("Remove this header"));
    remove->setAccessibleName(remove->toolTip());
    remove->setFocusPolicy(Qt::StrongFocus);
    auto *layout = new QHBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    layout->addWidget(name, 2);
    layout->addWidget(value, 3);
    layout->addWidget(remove);
    m_listLayout->insertWidget(int(m_rows.size()), widget);
    widget->show(); // at once, so that it can have the focus
    m_rows += Row { widget, name, value };
    m_none->hide();

    connect(name, &QLineEdit::textChanged, this, &HeadersEdit::changed);
    connect(value, &QLineEdit::textChanged, this, &HeadersEdit::changed);
    connect(name, &QLineEdit::returnPressed, value, [value] { value->setFocus(); });
    connect(value, &QLineEdit::returnPressed, this, &HeadersEdit::addHeader);
    connect(remove, &QToolButton::clicked, this, [this, widget] {
        removeRow(widget);
        emit changed();
        m_add->setFocus();
    });
}

void HeadersEdit::removeRow(QWidget *widget)
{
    m_rows.removeIf([&](const Row &row) { return row.widget == widget; });
    m_none->setVisible(m_rows.isEmpty());
    m_listLayout->removeWidget(widget);
    widget->hide();
    widget->deleteLater(); // its own button may be asking
}

void HeadersEdit::refresh()
{
    const QString wrong = problem();
    m_problem->setText(wrong);
    m_problem->setToolTip(wrong);
}

} // namespace instar
