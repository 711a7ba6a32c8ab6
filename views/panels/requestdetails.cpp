// SPDX-License-Identifier: Apache-2.0
#include "views/panels/requestdetails.h"

#include "model/json/exchanges.h"
#include "views/look.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace instar {

namespace {

/// Label of the transition that a condition guards; if it has none, the condition itself.
QString transitionLabel(const Pack &pack, const QString &condition)
{
    for (const Machine &machine : pack.machines) {
        for (const Transition &row : machine.transitions) {
            if (row.condition.text == condition && !row.label.isEmpty())
                return row.label;
        }
    }
    return condition;
}

constexpr int NoEtagItem = 0, CurrentEtagItem = 1;

QComboBox *etagBox(const QString &none, const QString &name)
{
    auto *box = new QComboBox;
    box->setEditable(true);
    box->addItem(none);
    box->addItem(RequestDetails::tr("current etag"));
    box->addItem(u"*"_s);
    box->setAccessibleName(name);
    box->setToolTip(RequestDetails::tr("%1: choose, or type an etag").arg(name));
    box->setMinimumContentsLength(12);
    return box;
}

QPlainTextEdit *textBox(const QString &name, const QString &placeholder, const QString &tip)
{
    auto *box = new QPlainTextEdit;
    box->setAccessibleName(name);
    box->setPlaceholderText(placeholder);
    box->setToolTip(tip);
    box->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    box->setTabChangesFocus(true);
    return box;
}

/// True if the value has no control characters but tabs (RFC 9110, 5.5), and the name is valid.
bool canBeSent(const RequestHeader &header)
{
    return isHeaderName(header.name) && std::ranges::none_of(header.value, [](QChar c) {
        return (c.unicode() < 0x20 && c != u'\t') || c.unicode() == 0x7f;
    });
}

} // namespace

RequestDetails::RequestDetails(const Controller &controller, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_transient(new QSpinBox),
      m_requestId(new QLineEdit),
      m_ifMatch(etagBox(tr("none"), u"If-Match"_s)),
      m_ifNoneMatch(etagBox(tr("none"), u"If-None-Match"_s)),
      m_references(new QLineEdit),
      m_headers(textBox(tr("Headers"), tr("X-Name: value"),
          tr("Headers of the request, one per line, sent unchanged"))),
      m_body(textBox(tr("Body"), tr("{ \"properties\": … }"),
          tr("JSON body of the request; a new resource gets its properties from this body")))
{
    m_transient->setRange(0, 99);
    m_transient->setToolTip(tr("Number of attempts that fail and are retried before the outcome"));
    m_requestId->setPlaceholderText(tr("none"));
    m_requestId->setToolTip(tr("A second request with the same id gets the answer to the first"));
    m_references->setPlaceholderText(tr("paths, separated by commas"));
    m_references->setToolTip(tr("Paths of the resources that the target refers to"));

    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(gap::normal);
    grid->setVerticalSpacing(gap::small);
    const auto put = [grid](int row, int column, const QString &text, QWidget *field) {
        auto *label = new QLabel(text);
        label->setBuddy(field);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        if (field->accessibleName().isEmpty())
            field->setAccessibleName(QString(text).remove(u'&'));
        grid->addWidget(label, row, 2 * column);
        grid->addWidget(field, row, 2 * column + 1);
        return QList<QWidget *> { label, field };
    };
    put(0, 0, tr("If-&Match"), m_ifMatch);
    put(1, 0, tr("If-&None-Match"), m_ifNoneMatch);
    put(2, 0, tr("&References"), m_references);
    const QList<QWidget *> id = put(0, 1, tr("Request &id"), m_requestId),
                           failures = put(1, 1, tr("&Transient failures"), m_transient);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);

    m_labels = new QWidget;
    QLabel *decides = dimLabel(
        tr("The server decides the outcome of the work, the failures and the conditions."));
    decides->setObjectName(u"decides"_s);
    auto *left = filled(new QVBoxLayout, { grid, m_labels, decides, Part::rest() }, -1);
    filled(new QHBoxLayout(this), { { left, 4 }, { m_headers, 3 }, { m_body, 3 } }, gap::large,
        { 0, gap::small, 0, 0 });
    updateForRules();
    for (QWidget *part : id)
        part->setVisible(takesRequestIds());
    for (QWidget *part : failures)
        part->setVisible(controller.isLocal());
    decides->setVisible(!controller.isLocal());
    const int height = left->sizeHint().height() + gap::large;
    m_headers->setFixedHeight(height);
    m_body->setFixedHeight(height);

    connect(m_transient, &QSpinBox::valueChanged, this, &RequestDetails::changed);
    for (QPlainTextEdit *box : { m_headers, m_body })
        connect(box, &QPlainTextEdit::textChanged, this, &RequestDetails::changed);
    for (QLineEdit *edit : { m_requestId, m_references })
        connect(edit, &QLineEdit::textChanged, this, &RequestDetails::changed);
    for (QComboBox *box : { m_ifMatch, m_ifNoneMatch })
        connect(box, &QComboBox::currentTextChanged, this, &RequestDetails::changed);
    m_empty = draft();
}

QString RequestDetails::etagOf(const QComboBox *box) const
{
    if (box->currentText() == box->itemText(NoEtagItem))
        return {};
    if (box->currentText() != box->itemText(CurrentEtagItem))
        return box->currentText().trimmed();
    const Resource resource = m_controller.world().tree.find(m_target);
    return resource == NoResource ? QString() : m_controller.etag(resource);
}

void RequestDetails::updateForRules()
{
    const QStringList labels = m_controller.rules().openLabels();
    QStringList known, chosen;
    for (const QCheckBox *box : std::as_const(m_conditions)) {
        known += box->objectName();
        if (box->isChecked())
            chosen += box->objectName();
    }
    if (known == labels && m_labels->layout())
        return;
    qDeleteAll(std::exchange(m_conditions, {}));
    delete m_labels->layout();
    auto *grid = new QGridLayout(m_labels);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(gap::large);
    for (const QString &label : labels) {
        auto *box = new QCheckBox(transitionLabel(m_controller.rules().pack(), label));
        box->setObjectName(label);
        box->setToolTip(
            tr("Whether the condition \"%1\" holds; the rules do not define it").arg(box->text()));
        box->setChecked(chosen.contains(label));
        connect(box, &QCheckBox::toggled, this, &RequestDetails::changed);
        grid->addWidget(box, int(m_conditions.size()) / 3, int(m_conditions.size()) % 3);
        m_conditions += box;
    }
    m_labels->setVisible(m_controller.isLocal() && !labels.isEmpty());
}

bool RequestDetails::takesRequestIds() const
{
    return m_controller.isLocal() || !m_controller.rules().pack().wire.requestIdHeader.isEmpty();
}

void RequestDetails::write(Request &request) const
{
    if (takesRequestIds())
        request.requestId = m_requestId->text().trimmed();
    request.ifMatch = etagOf(m_ifMatch);
    request.ifNoneMatch = etagOf(m_ifNoneMatch);
    for (const QString &part : m_references->text().split(u',', Qt::SkipEmptyParts)) {
        if (!part.trimmed().isEmpty())
            request.references += part.trimmed();
    }
    request.headers = headers();
    if (const QString body = m_body->toPlainText(); !body.trimmed().isEmpty())
        request.body = body.toUtf8();
    const QJsonObject object = QJsonDocument::fromJson(request.body).object();
    request.properties =
        object.contains(u"properties"_s) ? object[u"properties"_s].toObject() : object;
    if (!m_controller.isLocal())
        return;
    request.transientFailures = m_transient->value();
    for (const QCheckBox *box : m_conditions) {
        if (box->isChecked())
            request.conditions.insert(box->objectName(), true);
    }
}

QList<RequestHeader> RequestDetails::headers() const
{
    QList<RequestHeader> headers;
    for (const QString &line : m_headers->toPlainText().split(u'\n', Qt::SkipEmptyParts)) {
        if (!line.trimmed().isEmpty())
            headers += RequestHeader { line.section(u':', 0, 0).trimmed(),
                line.section(u':', 1).trimmed() };
    }
    return headers;
}

QString RequestDetails::problem() const
{
    const QList<RequestHeader> all = headers();
    const auto bad = std::ranges::find_if_not(all, canBeSent);
    return bad == all.end()
        ? QString()
        : tr("Options: the header \"%1\" is not valid; write it as Name: value.").arg(bad->name);
}

RequestDetails::Draft RequestDetails::draft() const
{
    return { m_body->toPlainText(), m_references->text(), m_ifMatch->currentText(),
        m_ifNoneMatch->currentText() };
}

void RequestDetails::setTarget(const QString &path, const QString &subject)
{
    m_target = path;
    if (subject == m_subject)
        return;
    const Draft now = draft();
    if (now == m_empty)
        m_drafts.remove(m_subject);
    else
        m_drafts.insert(m_subject, now);
    m_subject = subject;
    const Draft then = m_drafts.value(subject, m_empty);
    if (then == now)
        return;
    const QSignalBlocker blocker(this); // the caller refreshes afterwards
    m_body->setPlainText(then.body);
    m_references->setText(then.references);
    m_ifMatch->setCurrentText(then.ifMatch);
    m_ifNoneMatch->setCurrentText(then.ifNoneMatch);
}

int RequestDetails::count() const
{
    Request request;
    write(request);
    int count = int(request.headers.size() + request.conditions.size());
    for (const QComboBox *box : { m_ifMatch, m_ifNoneMatch })
        count += box->currentText() != box->itemText(NoEtagItem);
    for (const bool differs : { !request.requestId.isEmpty(), request.transientFailures > 0,
             !request.references.isEmpty(), !request.body.isEmpty() })
        count += differs;
    return count;
}

} // namespace instar
