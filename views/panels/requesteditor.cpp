// SPDX-License-Identifier: Apache-2.0
#include "views/panels/requesteditor.h"

#include "model/formats/scenario.h"
#include "views/look.h"
#include "views/panels/ui_requesteditor.h"

#include <QJsonDocument>
#include <QKeyEvent>
#include <QPushButton>
#include <QShortcut>

using namespace Qt::StringLiterals;

namespace instar {

RequestEditor::RequestEditor(
    const Controller &controller, const Request &request, Plans plans, QWidget *parent)
    : QDialog(parent), m_given(request), m_plans(plans), m_ui(std::make_unique<Ui::RequestEditor>())
{
    m_ui->setupUi(this);
    nameFields(*this);
    const Pack &pack = controller.rules().pack();
    m_ui->operation->addItems(pack.operationNames());
    m_ui->operation->setCurrentText(request.op);
    m_ui->client->setCurrentText(request.client);
    m_ui->target->setText(request.path);
    m_ui->outcome->setRules(controller.rules());
    m_ui->outcome->setOutcome(request.outcome);
    if (request.hang)
        m_ui->outcome->setAsks(true);
    m_ui->duration->setValue(int(request.duration.value_or(-1)));
    m_ui->ifMatch->setText(request.ifMatch);
    m_ui->ifNoneMatch->setText(request.ifNoneMatch);
    m_ui->requestId->setText(request.requestId);
    m_ui->headers->setHeaders(request.headers);
    m_ui->body->setBody(request.body);
    const bool plansWork = plans == Plans::Work;
    for (QWidget *part : std::initializer_list<QWidget *> {
             m_ui->outcomeLabel, m_ui->outcome, m_ui->durationLabel, m_ui->duration })
        part->setVisible(plansWork);
    const bool takesIds = plansWork || !pack.wire.requestIdHeader.isEmpty();
    m_ui->requestIdLabel->setVisible(takesIds);
    m_ui->requestId->setVisible(takesIds);
    m_accept = addAccept(m_ui->buttons, tr("Keep"));
    m_accept->setToolTip(
        tr("Keep the request as it is now (%1)")
            .arg(QKeySequence(Qt::CTRL | Qt::Key_Return).toString(QKeySequence::NativeText)));
    resize(620, plansWork ? 560 : 520);

    connect(new QShortcut(Qt::CTRL | Qt::Key_Return, this), &QShortcut::activated, this,
        &RequestEditor::accept);
    connect(m_ui->target, &QLineEdit::textChanged, this, &RequestEditor::refresh);
    connect(m_ui->headers, &HeadersEdit::changed, this, &RequestEditor::refresh);
    connect(m_ui->body, &BodyEdit::changed, this, &RequestEditor::refresh);
    // Return in a header goes on to the next one, and must not end the dialog.
    m_ui->headers->installEventFilter(this);
    refresh();
}

RequestEditor::~RequestEditor() = default;

Request RequestEditor::request() const
{
    Request request = m_given;
    request.op = m_ui->operation->currentText();
    request.path = m_ui->target->text().trimmed();
    request.client = m_ui->client->currentText().trimmed();
    if (m_plans == Plans::Work) {
        request.hang = m_ui->outcome->asks();
        request.outcome = m_ui->outcome->outcome();
        request.duration.reset();
        if (m_ui->duration->value() >= 0)
            request.duration = m_ui->duration->value();
    }
    request.ifMatch = m_ui->ifMatch->text().trimmed();
    request.ifNoneMatch = m_ui->ifNoneMatch->text().trimmed();
    request.requestId = m_ui->requestId->text().trimmed();
    request.headers = m_ui->headers->headers();
    if (m_ui->body->body() != m_given.body) {
        request.body = m_ui->body->body();
        const QJsonObject object = QJsonDocument::fromJson(request.body).object();
        request.properties =
            object.contains(u"properties"_s) ? object[u"properties"_s].toObject() : object;
    }
    return request;
}

QString RequestEditor::problem() const
{
    const QString path = m_ui->target->text().trimmed();
    if (path.isEmpty())
        return tr("Name the resource that it is about, such as /type/name.");
    if (const QString wrong = pathProblem(path); !wrong.isEmpty())
        return tr("Target: %1.").arg(wrong);
    return m_ui->headers->problem();
}

void RequestEditor::refresh()
{
    const QString wrong = problem();
    if (!wrong.isEmpty())
        m_ui->notice->say(Notice::Tone::Wrong, wrong);
    else if (!m_ui->body->problem().isEmpty())
        m_ui->notice->say(Notice::Tone::Hint,
            m_ui->body->isEditable() ? tr("The body is not JSON. It can be sent nevertheless.")
                                     : m_ui->body->problem());
    else
        m_ui->notice->say(Notice::Tone::Good, {});
    m_accept->setEnabled(wrong.isEmpty());
}

void RequestEditor::accept()
{
    if (problem().isEmpty())
        QDialog::accept();
}

bool RequestEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_ui->headers && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            event->accept();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace instar
