// SPDX-License-Identifier: Apache-2.0
#include "views/panels/bodyedit.h"

#include "model/formats/bodytext.h"
#include "model/formats/jsontext.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace instar {

BodyEdit::BodyEdit(QWidget *parent)
    : QWidget(parent),
      m_text(new QPlainTextEdit),
      m_format(new QToolButton),
      m_problem(new ElidedLabel)
{
    m_text->setPlaceholderText(tr("{ \"properties\": … }"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    m_text->setToolTip(tr("Body of the request, as JSON; its properties go to a new resource"));
    m_text->setAccessibleName(tr("Body"));
    m_text->setMinimumHeight(2 * m_text->fontMetrics().lineSpacing() + 2 * gap::normal);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_format->setText(tr("Format"));
    m_format->setProperty("labelled", true);
    m_format->setFocusPolicy(Qt::StrongFocus);
    m_format->setToolTip(tr("Indent the JSON; numbers and strings stay as they are"));
    setFocusProxy(m_text);

    auto *foot = new QHBoxLayout;
    foot->setSpacing(gap::normal);
    foot->addWidget(m_problem, 1);
    foot->addWidget(m_format);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    layout->addWidget(m_text, 1);
    layout->addLayout(foot);
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
