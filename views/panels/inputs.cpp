// SPDX-License-Identifier: Apache-2.0
#include "views/panels/inputs.h"

#include "model/json/bodytext.h"
#include "model/json/jsontext.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QCompleter>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextCursor>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString Asks = u"?"_s; ///< the item's data where the user will be asked

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

FileField::FileField(QWidget *parent)
    : QWidget(parent), m_name(new QLineEdit), m_browse(iconButton(u"open"_s, tr("Choose the file")))
{
    m_name->setPlaceholderText(tr("File"));
    m_browse->setFocusPolicy(Qt::StrongFocus);
    filled(new QHBoxLayout(this), { { m_name, 1 }, m_browse });
    setFocusProxy(m_name);
    connect(m_name, &QLineEdit::textChanged, this, &FileField::changed);
    connect(m_browse, &QToolButton::clicked, this, &FileField::choose);
}

void FileField::setWhat(const QString &what)
{
    m_what = what;
    m_name->setAccessibleName(what);
    m_browse->setAccessibleName(tr("%1: choose the file").arg(what));
}

QString FileField::file() const
{
    return m_name->text().trimmed();
}

void FileField::setFile(const QString &file)
{
    m_name->setText(file);
}

QString FileField::problem() const
{
    if (file().isEmpty())
        return tr("%1: choose a file.").arg(m_what);
    const QFileInfo info(file());
    if (!info.exists())
        return tr("%1: there is no file %2.").arg(m_what, file());
    if (!info.isFile() || !info.isReadable())
        return tr("%1: %2 cannot be read.").arg(m_what, file());
    return {};
}

void FileField::choose()
{
    auto *dialog = new QFileDialog(this, m_what, file(), m_filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &FileField::setFile);
    dialog->open();
}

OutcomeBox::OutcomeBox(QWidget *parent) : QComboBox(parent)
{
    setToolTip(tr("How the work ends"));
    setAccessibleName(tr("Outcome"));
}

void OutcomeBox::setRules(const Rules &rules)
{
    const QVariant chosen = currentData();
    clear();
    const auto add = [&](Rules::TriggerId trigger) {
        const QString &id = rules.triggerName(trigger);
        addItem(id, id);
        setItemData(count() - 1, id, Qt::ToolTipRole);
    };
    addItem(rules.triggerName(rules.succeeded), QString());
    add(rules.failed);
    for (const Outcome &row : rules.pack().outcomes) {
        const Rules::TriggerId trigger = rules.trigger(row.id);
        const QList<Rules::TriggerId> known { Rules::None, rules.succeeded, rules.failed,
            rules.canceled, rules.rejected, rules.invalid, rules.retried };
        if (!known.contains(trigger) && rules.applies(row))
            add(trigger);
    }
    addItem(tr("ask me"), Asks);
    setItemData(count() - 1,
        tr("Runs until you click an outcome on the chart, or in the queue's menu"),
        Qt::ToolTipRole);
    setCurrentIndex(std::max(findData(chosen), 0));
}

QString OutcomeBox::outcome() const
{
    return asks() ? QString() : currentData().toString();
}

void OutcomeBox::setOutcome(const QString &outcome)
{
    setCurrentIndex(std::max(findData(outcome), 0));
}

bool OutcomeBox::asks() const
{
    return currentData().toString() == Asks;
}

void OutcomeBox::setAsks(bool asks)
{
    setCurrentIndex(asks ? count() - 1 : 0);
}

HeadersEdit::HeadersEdit(QWidget *parent)
    : QWidget(parent),
      m_list(new QWidget),
      m_listLayout(new QVBoxLayout(m_list)),
      m_scroll(plainScrollArea()),
      m_add(wordButton(
          u"add"_s, tr("Add header"), tr("A header that the request brings; sent as it is"))),
      m_none(new QLabel(tr("No headers of its own"))),
      m_problem(new ElidedLabel)
{
    m_listLayout->setContentsMargins(0, 0, 0, 0);
    m_listLayout->setSpacing(gap::small);
    m_listLayout->addWidget(m_none);
    m_listLayout->addStretch();
    m_none->setProperty("dim", true);
    m_scroll->setWidget(m_list);
    m_scroll->viewport()->setAutoFillBackground(false); // whatever it stands on shows through
    m_list->setAutoFillBackground(false);
    m_scroll->setAccessibleName(tr("Headers"));
    m_scroll->setMinimumWidth(160);
    m_problem->setForegroundRole(QPalette::BrightText);

    auto *foot = filled(new QHBoxLayout, { { m_problem, 1 }, m_add }, gap::normal);
    filled(new QVBoxLayout(this), { { m_scroll, 1 }, foot });
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
    QToolButton *remove = iconButton(u"close"_s, tr("Remove this header"));
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
    remove->setFocusPolicy(Qt::StrongFocus);
    filled(new QHBoxLayout(widget), { { name, 2 }, { value, 3 }, remove });
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

BodyEdit::BodyEdit(QWidget *parent)
    : QWidget(parent),
      m_text(new QPlainTextEdit),
      m_format(wordButton(
          {}, tr("Format"), tr("Indent the JSON; numbers and strings stay as they are"))),
      m_problem(new ElidedLabel)
{
    m_text->setPlaceholderText(tr("{ \"properties\": … }"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    m_text->setToolTip(tr("Body of the request, as JSON; its properties go to a new resource"));
    m_text->setAccessibleName(tr("Body"));
    m_text->setMinimumHeight(2 * m_text->fontMetrics().lineSpacing() + 2 * gap::normal);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusProxy(m_text);

    auto *foot = filled(new QHBoxLayout, { { m_problem, 1 }, m_format }, gap::normal);
    filled(new QVBoxLayout(this), { { m_text, 1 }, foot });
    connect(m_text, &QPlainTextEdit::textChanged, this, &BodyEdit::check);
    connect(m_format, &QToolButton::clicked, this, &BodyEdit::format);
    check();
}

QByteArray BodyEdit::body() const
{
    if (!isEditable())
        return m_binary;
    const QString text = m_text->toPlainText();
    return text.trimmed().isEmpty() ? QByteArray() : text.toUtf8();
}

void BodyEdit::setBody(const QByteArray &body)
{
    m_binary = isText(body) ? QByteArray() : body;
    m_text->setReadOnly(!isEditable());
    m_text->setPlainText(isEditable() ? QString::fromUtf8(body) : prettyJson(body));
}

void BodyEdit::format()
{
    if (!isEditable() || body().isEmpty() || !m_wrong.isEmpty())
        return;
    QTextCursor all(m_text->document());
    all.select(QTextCursor::Document);
    all.insertText(prettyJson(body())); // can be undone
}

void BodyEdit::check()
{
    m_wrong.clear();
    const QByteArray text = body();
    if (!isEditable()) {
        m_wrong = tr("These bytes are not text; they are sent as they are.");
    } else if (!text.isEmpty()) {
        if (const auto document = JsonText::parse(text, {}); !document) {
            static const QRegularExpression place(u"^:(\\d+):(\\d+): "_s);
            const auto found = place.match(document.error());
            m_wrong = tr("Not JSON, line %1: %2")
                          .arg(found.captured(1), document.error().mid(found.capturedLength()));
        }
    }
    m_problem->setText(m_wrong);
    m_problem->setToolTip(
        m_wrong.isEmpty() ? m_wrong : tr("%1 It can be sent nevertheless.").arg(m_wrong));
    m_problem->setForegroundRole(isEditable() ? QPalette::BrightText : QPalette::PlaceholderText);
    m_format->setEnabled(isEditable() && m_wrong.isEmpty() && !text.isEmpty());
    emit changed();
}

} // namespace instar
