// SPDX-License-Identifier: Apache-2.0
#include "views/panels/requesteditor.h"

#include "model/json/packnames.h"
#include "views/look.h"
#include "views/panels/inputs.h"
#include "views/panels/notice.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QJsonDocument>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>

using namespace Qt::StringLiterals;

namespace instar {

RequestEditor::RequestEditor(
    const Controller &controller, const Request &request, Plans plans, QWidget *parent)
    : QDialog(parent),
      m_given(request),
      m_plans(plans),
      m_operation(new QComboBox),
      m_client(new QComboBox),
      m_target(new QLineEdit(request.path)),
      m_outcome(new OutcomeBox),
      m_duration(new QSpinBox),
      m_ifMatch(new QLineEdit(request.ifMatch)),
      m_ifNoneMatch(new QLineEdit(request.ifNoneMatch)),
      m_requestId(new QLineEdit(request.requestId)),
      m_headers(new HeadersEdit),
      m_body(new BodyEdit),
      m_notice(new Notice)
{
    setWindowTitle(tr("Edit request"));
    m_operation->addItems(controller.rules().pack().operationNames());
    m_operation->setCurrentText(request.op);
    m_client->setEditable(true);
    m_client->addItems({ u"A"_s, u"B"_s, u"C"_s });
    m_client->setCurrentText(request.client);
    m_outcome->setRules(controller.rules());
    m_outcome->setOutcome(request.outcome);
    if (request.hang)
        m_outcome->setAsks(true);
    m_duration->setRange(-1, 3'600'000);
    m_duration->setSingleStep(500);
    m_duration->setSuffix(tr(" ms"));
    m_duration->setSpecialValueText(tr("usual"));
    m_duration->setValue(int(request.duration.value_or(-1)));
    m_duration->setToolTip(tr("How long one attempt takes, in virtual time"));
    for (QLineEdit *edit : { m_ifMatch, m_ifNoneMatch, m_requestId })
        edit->setPlaceholderText(tr("none"));
    m_headers->setHeaders(request.headers);
    m_body->setBody(request.body);

    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(gap::normal);
    grid->setVerticalSpacing(gap::normal);
    const auto put = [&](int row, int column, const QString &text, QWidget *field, int span = 1) {
        auto *label = new QLabel(text);
        label->setBuddy(field);
        label->setAlignment(Qt::AlignRight | (span > 0 ? Qt::AlignVCenter : Qt::AlignTop));
        grid->addWidget(label, row, column);
        grid->addWidget(field, row, column + 1, 1, std::abs(span));
        return label;
    };
    put(0, 0, tr("&Operation"), m_operation);
    put(0, 2, tr("&Client"), m_client);
    put(1, 0, tr("&Target"), m_target, 3);
    QLabel *ends = put(2, 0, tr("&Ends"), m_outcome);
    QLabel *after = put(2, 2, tr("A&fter"), m_duration);
    put(3, 0, tr("If-&Match"), m_ifMatch);
    put(3, 2, tr("If-&None-Match"), m_ifNoneMatch);
    QLabel *named = put(4, 0, tr("Request &id"), m_requestId, 3);
    put(5, 0, tr("&Headers"), m_headers, -3);
    put(6, 0, tr("&Body"), m_body, -3);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    grid->setRowStretch(5, 2);
    grid->setRowStretch(6, 5);
    for (QWidget *part : { static_cast<QWidget *>(ends), static_cast<QWidget *>(m_outcome),
             static_cast<QWidget *>(after), static_cast<QWidget *>(m_duration) })
        part->setVisible(plans == Plans::Work);
    const bool takesIds =
        plans == Plans::Work || !controller.rules().pack().wire.requestIdHeader.isEmpty();
    named->setVisible(takesIds);
    m_requestId->setVisible(takesIds);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_accept = addAccept(buttons, tr("Keep"));
    m_accept->setToolTip(
        textWithKeys(tr("Keep the request as it is now"), Qt::CTRL | Qt::Key_Return));
    filled(new QVBoxLayout(this), { { grid, 1 }, m_notice, buttons }, gap::normal,
        { gap::large, gap::large, gap::large, gap::large });
    nameFields(*this);
    resize(620, plans == Plans::Work ? 560 : 520);

    connect(buttons, &QDialogButtonBox::accepted, this, &RequestEditor::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &RequestEditor::reject);
    connect(new QShortcut(Qt::CTRL | Qt::Key_Return, this), &QShortcut::activated, this,
        &RequestEditor::accept);
    connect(m_target, &QLineEdit::textChanged, this, &RequestEditor::refresh);
    connect(m_headers, &HeadersEdit::changed, this, &RequestEditor::refresh);
    connect(m_body, &BodyEdit::changed, this, &RequestEditor::refresh);
    // Return in a header goes on to the next one, and must not end the dialog.
    m_headers->installEventFilter(this);
    refresh();
}

Request RequestEditor::request() const
{
    Request request = m_given;
    request.op = m_operation->currentText();
    request.path = m_target->text().trimmed();
    request.client = m_client->currentText().trimmed();
    if (m_plans == Plans::Work) {
        request.hang = m_outcome->asks();
        request.outcome = m_outcome->outcome();
        request.duration.reset();
        if (m_duration->value() >= 0)
            request.duration = m_duration->value();
    }
    request.ifMatch = m_ifMatch->text().trimmed();
    request.ifNoneMatch = m_ifNoneMatch->text().trimmed();
    request.requestId = m_requestId->text().trimmed();
    request.headers = m_headers->headers();
    if (m_body->body() != m_given.body) {
        request.body = m_body->body();
        const QJsonObject object = QJsonDocument::fromJson(request.body).object();
        request.properties =
            object.contains(u"properties"_s) ? object[u"properties"_s].toObject() : object;
    }
    return request;
}

QString RequestEditor::problem() const
{
    const QString path = m_target->text().trimmed();
    if (path.isEmpty())
        return tr("Name the resource that it is about, such as /type/name.");
    if (const QString wrong = pathProblem(path); !wrong.isEmpty())
        return tr("Target: %1.").arg(wrong);
    return m_headers->problem();
}

void RequestEditor::refresh()
{
    const QString wrong = problem();
    if (!wrong.isEmpty())
        m_notice->say(Notice::Tone::Wrong, wrong);
    else if (!m_body->problem().isEmpty())
        m_notice->say(Notice::Tone::Hint,
            m_body->isEditable() ? tr("The body is not JSON. It can be sent nevertheless.")
                                 : m_body->problem());
    else
        m_notice->say(Notice::Tone::Good, {});
    m_accept->setEnabled(wrong.isEmpty());
}

void RequestEditor::accept()
{
    if (problem().isEmpty())
        QDialog::accept();
}

bool RequestEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_headers && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            event->accept();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace instar
