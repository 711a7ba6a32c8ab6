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
#include <tuple>

namespace instar {

namespace {

/// Labels of the fields `user` and `secret` for a kind of credentials; empty: it has no such field.
std::pair<QString, QString> labelsOf(CredentialKind kind)
{
    switch (kind) {
    case CredentialKind::None:
        break;
    case CredentialKind::Bearer:
        return { {}, ConnectDialog::tr("Tok&en") };
    case CredentialKind::Basic:
        return { ConnectDialog::tr("&Name"), ConnectDialog::tr("&Password") };
    case CredentialKind::ApiKey:
        return { ConnectDialog::tr("&Header"), ConnectDialog::tr("&Value") };
    case CredentialKind::Command:
        return { ConnectDialog::tr("Co&mmand"), {} };
    }
    return {};
}

} // namespace

QList<ConnectChoice> remembered(
    const QList<ConnectChoice> &choices, const ConnectChoice &newest, int most)
{
    QList<ConnectChoice> kept { newest };
    kept.first().secret.clear();
    for (const ConnectChoice &choice : choices) {
        if (kept.size() < most && (choice.url != newest.url || choice.pack != newest.pack))
            kept += choice;
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
    connect(m_ui->recent, &QComboBox::activated, this,
        [this](int row) { setChoice(m_options.recent[row]); });
    for (QLineEdit *edit : { m_ui->url, m_ui->user, m_ui->secret })
        connect(edit, &QLineEdit::textChanged, this, &ConnectDialog::refresh);
    connect(m_ui->system, &QComboBox::currentIndexChanged, this, &ConnectDialog::refresh);
    connect(m_ui->kind, &QComboBox::currentIndexChanged, this, [this] {
        m_ui->user->clear(); // was typed for another kind
        m_ui->secret->clear();
        refresh();
    });
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
        .user = m_ui->user->text(),
        .secret = m_ui->secret->text(),
        .readOnly = m_ui->readOnly->isChecked() };
    if (kind() != CredentialKind::Basic) { // a name or a password may begin or end with blanks
        choice.user = choice.user.trimmed();
        choice.secret = choice.secret.trimmed();
    }
    if (choice.user.isEmpty())
        choice.user = m_ui->user->placeholderText();
    return choice;
}

void ConnectDialog::setChoice(const ConnectChoice &choice)
{
    m_ui->url->setText(choice.url);
    m_ui->system->setCurrentIndex(std::max(m_ui->system->findData(choice.pack), 0));
    m_ui->kind->setCurrentIndex(int(choice.credentials));
    m_ui->user->setText(choice.user);
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
    }
    return {};
}

void ConnectDialog::refresh()
{
    const auto [user, secret] = labelsOf(kind());
    for (const auto &[label, field, text] : { std::tuple(m_ui->userLabel, m_ui->user, user),
             std::tuple(m_ui->secretLabel, m_ui->secret, secret) }) {
        label->setVisible(!text.isEmpty());
        field->setVisible(!text.isEmpty());
        if (text.isEmpty())
            continue;
        label->setText(text);
        field->setAccessibleName(QString(text).remove(u'&'));
    }
    m_ui->user->setPlaceholderText(kind() == CredentialKind::ApiKey ? u"X-Api-Key"_s : QString());
    const Problem found = firstProblem();
    const ConnectChoice input = choice();
    const QUrl url(input.url);
    if (!found.text.isEmpty())
        m_ui->notice->say(found.tone, found.text);
    else if (input.credentials != CredentialKind::None && url.scheme() == u"http"
        && !isLoopback(url.host()))
        m_ui->notice->say(Notice::Tone::Hint,
            tr("Over HTTP, anyone on the network can read the credentials; use HTTPS."));
    else
        m_ui->notice->say(Notice::Tone::Good,
            tr("Connecting only reads the resource tree of %1 and changes nothing.")
                .arg(input.url == m_ui->url->text().trimmed() ? url.host() : input.url));
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
