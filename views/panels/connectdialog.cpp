// SPDX-License-Identifier: Apache-2.0
#include "views/panels/connectdialog.h"

#include "model/json/exchanges.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/ui_connectdialog.h"

#include <QAction>
#include <QPushButton>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>

namespace instar {

ConnectChoice withoutSecret(ConnectChoice choice)
{
    choice.secret.clear();
    return choice;
}

QList<ConnectChoice> remembered(
    const QList<ConnectChoice> &choices, const ConnectChoice &newest, int most)
{
    QList<ConnectChoice> kept { withoutSecret(newest) };
    for (const ConnectChoice &choice : choices) {
        if (kept.size() < most && (choice.url != newest.url || choice.pack != newest.pack))
            kept += withoutSecret(choice);
    }
    return kept;
}

QString completedUrl(const QString &address)
{
    if (address.isEmpty() || address.contains(u"://"))
        return address;
    const bool isHere = isLoopback(QUrl(u"http://"_s + address).host());
    return (isHere ? u"http://"_s : u"https://"_s) + address;
}

QString serverUrlProblem(const QString &text)
{
    if (text.isEmpty())
        return ConnectDialog::tr("Give the server's URL, such as https://server.example:8443.");
    if (!text.startsWith(u"http://", Qt::CaseInsensitive)
        && !text.startsWith(u"https://", Qt::CaseInsensitive))
        return text.contains(u"://") ? ConnectDialog::tr("Only http:// and https:// are supported.")
                                     : ConnectDialog::tr("Begin the URL with https:// or http://.");
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid())
        return ConnectDialog::tr("This is not a URL: %1.")
            .arg(url.errorString().section(u';', 0, 0));
    if (url.host().isEmpty())
        return ConnectDialog::tr("The URL contains no host name.");
    if (url.port() == 0)
        return ConnectDialog::tr("Port 0 is not valid; give one from 1 to 65535.");
    if (!url.userInfo().isEmpty())
        return ConnectDialog::tr(
            "Remove the user name and password from the URL; type them in the fields below.");
    if (url.hasQuery() || url.hasFragment())
        return ConnectDialog::tr("Remove the part of the URL that begins with ? or #.");
    return {};
}

bool isLoopback(const QString &host)
{
    static const QRegularExpression loopback(u"^(localhost\\.?|127(\\.\\d{1,3}){3}|\\[?::1\\]?)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    return loopback.match(host).hasMatch();
}

ConnectDialog::ConnectDialog(const Options &options, QWidget *parent)
    : QDialog(parent), m_options(options), m_ui(std::make_unique<Ui::ConnectDialog>())
{
    m_ui->setupUi(this);
    nameFields(*this);
    m_accept = addAccept(m_ui->buttons, tr("Connect"));
    for (const auto &[id, title] : m_options.systems)
        m_ui->system->addItem(title, id);
    for (const ConnectChoice &recent : m_options.recent) {
        const auto known =
            std::ranges::find(m_options.systems, recent.pack, &QPair<QString, QString>::first);
        m_ui->recent->addItem(u"%1  —  %2"_s.arg(
            recent.url, known == m_options.systems.end() ? recent.pack : known->second));
    }
    m_ui->recent->setVisible(!m_options.recent.isEmpty());
    m_ui->recentLabel->setVisible(!m_options.recent.isEmpty());
    QAction *eye = m_ui->secret->addAction(icon(u"eye"_s), QLineEdit::TrailingPosition);
    eye->setCheckable(true);
    eye->setToolTip(tr("Show the secret as plain text"));
    connect(eye, &QAction::toggled, this, [this, eye](bool on) {
        m_ui->secret->setEchoMode(on ? QLineEdit::Normal : QLineEdit::Password);
        eye->setIcon(icon(on ? u"eye-off"_s : u"eye"_s));
    });
    using Kind = CredentialKind;
    m_fields = { { m_ui->user, Kind::Basic, tr("&Name") },
        { m_ui->user, Kind::ApiKey, tr("&Header") }, { m_ui->user, Kind::Command, tr("Co&mmand") },
        { m_ui->certificate, Kind::Certificate, tr("&Certificate") },
        { m_ui->key, Kind::Certificate, tr("Private ke&y") },
        { m_ui->secret, Kind::Bearer, tr("Tok&en") },
        { m_ui->secret, Kind::Basic, tr("&Password") },
        { m_ui->secret, Kind::Certificate, tr("Pass p&hrase") },
        { m_ui->secret, Kind::ApiKey, tr("&Value") } };

    connect(m_ui->recent, &QComboBox::activated, this,
        [this](int row) { setChoice(m_options.recent[row]); });
    for (QLineEdit *edit : { m_ui->url, m_ui->user, m_ui->secret })
        connect(edit, &QLineEdit::textChanged, this, &ConnectDialog::refresh);
    for (FileField *field : { m_ui->certificate, m_ui->key })
        connect(field, &FileField::changed, this, &ConnectDialog::refresh);
    connect(m_ui->system, &QComboBox::currentIndexChanged, this, &ConnectDialog::refresh);
    connect(m_ui->kind, &QComboBox::currentIndexChanged, this, &ConnectDialog::changeKind);
    connect(m_ui->url, &QLineEdit::textEdited, m_ui->recent,
        [this] { m_ui->recent->setCurrentIndex(-1); });

    refresh();
    if (!m_options.recent.isEmpty())
        setChoice(m_options.recent.first());
    m_ui->url->setFocus();
    m_ui->url->selectAll();
}

ConnectDialog::~ConnectDialog() = default;

CredentialKind ConnectDialog::kind() const
{
    return CredentialKind(m_ui->kind->currentIndex());
}

ConnectChoice ConnectDialog::choice() const
{
    ConnectChoice choice { .url = completedUrl(m_ui->url->text().trimmed()),
        .pack = m_ui->system->currentData().toString(),
        .credentials = kind(),
        .readOnly = m_ui->readOnly->isChecked() };
    // A person may have chosen blanks in a name or a password; others are pasted.
    const bool keepsBlanks = choice.credentials == CredentialKind::Basic
        || choice.credentials == CredentialKind::Certificate;
    const auto typed = [this, keepsBlanks](const QLineEdit *edit) {
        return !shows(edit) ? QString() : keepsBlanks ? edit->text() : edit->text().trimmed();
    };
    choice.user = typed(m_ui->user);
    if (choice.user.isEmpty())
        choice.user = m_ui->user->placeholderText();
    choice.secret = typed(m_ui->secret);
    if (shows(m_ui->certificate))
        choice.certificate = m_ui->certificate->file();
    if (shows(m_ui->key))
        choice.key = m_ui->key->file();
    return choice;
}

/// True if the kind of credentials has a field.
bool ConnectDialog::shows(const QWidget *field) const
{
    return std::ranges::any_of(
        m_fields, [&](const Field &each) { return each.widget == field && each.kind == kind(); });
}

void ConnectDialog::setChoice(const ConnectChoice &choice)
{
    m_ui->url->setText(choice.url);
    m_ui->system->setCurrentIndex(std::max(m_ui->system->findData(choice.pack), 0));
    m_ui->kind->setCurrentIndex(int(choice.credentials));
    m_typed.clear();
    m_ui->user->setText(choice.user);
    m_ui->certificate->setFile(choice.certificate);
    m_ui->key->setFile(choice.key);
    m_ui->secret->setText(choice.secret);
    m_ui->readOnly->setChecked(true); // writing is switched on each time anew
}

QList<ConnectChoice> ConnectDialog::recent() const
{
    return result() == Accepted ? remembered(m_options.recent, choice()) : m_options.recent;
}

ConnectDialog::Problem ConnectDialog::firstProblem() const
{
    const auto missing = [](const QString &text) { return Problem { Notice::Tone::Hint, text }; };
    const auto wrong = [](const QString &text) { return Problem { Notice::Tone::Wrong, text }; };
    const ConnectChoice input = choice();
    if (const QString text = serverUrlProblem(input.url); !text.isEmpty())
        return input.url.isEmpty() ? missing(text) : wrong(text);
    if (input.pack.isEmpty())
        return missing(tr("Choose the system that the server implements."));
    const bool hasNoSecret = input.secret.isEmpty();
    switch (input.credentials) {
    case CredentialKind::None:
        break;
    case CredentialKind::Bearer:
        if (hasNoSecret)
            return missing(tr("Paste the token."));
        break;
    case CredentialKind::Basic:
        if (input.user.isEmpty())
            return missing(tr("Type the user name."));
        if (input.user.contains(u':'))
            return wrong(tr("A user name cannot contain a colon."));
        break;
    case CredentialKind::ApiKey:
        if (!isKeyHeader(input.user))
            return wrong(tr("This is not a valid header name; use one such as X-Api-Key."));
        if (hasNoSecret)
            return missing(tr("Paste the key."));
        break;
    case CredentialKind::Command:
        if (input.user.isEmpty())
            return missing(tr("Type the command, such as gcloud auth print-access-token."));
        break;
    case CredentialKind::Certificate:
        if (QUrl(input.url).scheme() != u"https")
            return wrong(tr("A client certificate needs https."));
        for (const FileField *field : { m_ui->certificate, m_ui->key }) {
            if (const QString text = field->problem(); !text.isEmpty())
                return field->file().isEmpty() ? missing(text) : wrong(text);
        }
        break;
    }
    return {};
}

/// Warning about an acceptable choice; empty: none.
QString ConnectDialog::hint() const
{
    const ConnectChoice input = choice();
    const bool isSecret = input.credentials != CredentialKind::None
        && input.credentials != CredentialKind::Certificate;
    const QUrl url(input.url);
    return isSecret && url.scheme() == u"http" && !isLoopback(url.host())
        ? tr("Over HTTP, anyone on the network can read the credentials; use HTTPS.")
        : QString();
}

/// Stores the texts of shared fields for one kind of credentials, and restores those of the other.
void ConnectDialog::changeKind()
{
    m_typed.insert(m_shown, { m_ui->user->text(), m_ui->secret->text() });
    m_shown = kind();
    const QStringList before = m_typed.value(m_shown);
    m_ui->user->setText(before.value(0));
    m_ui->secret->setText(before.value(1));
    refresh();
}

/// Shows the fields of the kind, with its labels.
void ConnectDialog::showFields()
{
    for (const Field &field : std::as_const(m_fields)) {
        const bool isShown = field.kind == kind();
        if (!isShown && shows(field.widget))
            continue; // with the label of another kind
        auto *label = qobject_cast<QLabel *>(m_ui->form->labelForField(field.widget));
        label->setText(field.label);
        label->setVisible(isShown);
        field.widget->setAccessibleName(QString(field.label).remove(u'&'));
        field.widget->setVisible(isShown);
    }
    const bool isCertificate = kind() == CredentialKind::Certificate;
    m_ui->secret->setPlaceholderText(isCertificate ? tr("none") : QString());
    m_ui->user->setPlaceholderText(kind() == CredentialKind::ApiKey ? u"X-Api-Key"_s : QString());
}

void ConnectDialog::refresh()
{
    showFields();
    const Problem found = firstProblem();
    const QString warning = hint();
    if (!found.text.isEmpty())
        m_ui->notice->say(found.tone, found.text);
    else if (!warning.isEmpty())
        m_ui->notice->say(Notice::Tone::Hint, warning);
    else
        m_ui->notice->say(Notice::Tone::Good,
            tr("Connecting only reads the resource tree of %1 and changes nothing.")
                .arg(choice().url == m_ui->url->text().trimmed() ? QUrl(choice().url).host()
                                                                 : choice().url));
    m_accept->setEnabled(found.text.isEmpty());
    layout()->activate();
    if (const int height = layout()->totalHeightForWidth(width()); height > 0)
        resize(width(), height);
}

void ConnectDialog::accept()
{
    if (problem().isEmpty())
        QDialog::accept();
}

} // namespace instar
