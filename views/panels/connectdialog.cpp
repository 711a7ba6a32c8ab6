// SPDX-License-Identifier: Apache-2.0
#include "views/panels/connectdialog.h"

#include "model/formats/exchanges.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/inputs.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace instar {

ConnectDialog::ConnectDialog(const Options &options, QWidget *parent)
    : QDialog(parent),
      m_options(options),
      m_recent(new QListWidget),
      m_form(new QFormLayout),
      m_url(new QLineEdit),
      m_system(new QComboBox),
      m_kind(new QComboBox),
      m_user(new QLineEdit),
      m_certificate(
          new FileField(tr("Certificate"), tr("Certificates (*.pem *.crt *.cer);;All files (*)"))),
      m_key(new FileField(tr("Private key"), tr("Keys (*.pem *.key);;All files (*)"))),
      m_secret(secret()),
      m_readOnly(new QCheckBox(tr("Read &only (switch on writing later)"))),
      m_notice(new Notice)
{
    setWindowTitle(tr("Connect to a server"));
    for (const auto &[id, title] : m_options.systems)
        m_system->addItem(title, id);
    m_kind->addItems(
        { tr("Nothing"), tr("A bearer token"), tr("Name and password"), tr("A client certificate"),
            tr("Any header"), tr("A key in the query"), tr("A command that prints a token") });
    m_url->setPlaceholderText(u"https://server.example:8443"_s);
    m_url->setToolTip(tr("The server's address. Without http:// or https:// in front, http is "
                         "spoken with this computer, and https with any other"));
    m_readOnly->setChecked(true);
    m_readOnly->setToolTip(
        tr("Nothing is changed on the server before you say so in the network panel"));
    m_form->setHorizontalSpacing(gap::normal);
    m_form->setVerticalSpacing(gap::normal);
    m_form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto add = [this](const QString &text, QWidget *field) {
        m_form->addRow(text, field);
        if (field->accessibleName().isEmpty())
            field->setAccessibleName(QString(text).remove(u'&'));
    };
    m_recentBox = buildRecent();
    add(tr("Recen&t"), m_recentBox);
    add(tr("&URL"), m_url);
    add(tr("&System"), m_system);
    add(tr("Sign in &with"), m_kind);
    using Kind = CredentialsKind;
    m_fields = { { m_user, Kind::Basic, tr("&Name") }, { m_user, Kind::ApiKey, tr("&Header") },
        { m_user, Kind::QueryKey, tr("&Parameter") },
        { m_user, Kind::TokenCommand, tr("Co&mmand") },
        { m_certificate, Kind::ClientCertificate, tr("&Certificate") },
        { m_key, Kind::ClientCertificate, tr("Private ke&y") },
        { m_secret, Kind::Bearer, tr("Tok&en") }, { m_secret, Kind::Basic, tr("&Password") },
        { m_secret, Kind::ClientCertificate, tr("Pass p&hrase") },
        { m_secret, Kind::ApiKey, tr("&Value") }, { m_secret, Kind::QueryKey, tr("Ke&y") } };
    for (const Field &field : std::as_const(m_fields)) {
        if (m_form->indexOf(field.widget) < 0)
            m_form->addRow(field.label, field.widget);
    }
    m_form->addRow(QString(), m_readOnly);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_accept = buttons->addButton(tr("Connect"), QDialogButtonBox::AcceptRole);
    m_accept->setObjectName(u"primary"_s);
    m_accept->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gap::large, gap::large, gap::large, gap::large);
    layout->setSpacing(gap::normal);
    layout->addLayout(m_form);
    layout->addStretch();
    layout->addWidget(m_notice);
    layout->addWidget(buttons);
    resize(540, 100);

    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ConnectDialog::reject);
    for (QLineEdit *edit : { m_url, m_user, m_secret })
        connect(edit, &QLineEdit::textChanged, this, &ConnectDialog::refresh);
    connect(m_certificate, &FileField::changed, this, &ConnectDialog::refresh);
    connect(m_key, &FileField::changed, this, &ConnectDialog::refresh);
    connect(m_system, &QComboBox::currentIndexChanged, this, &ConnectDialog::refresh);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ConnectDialog::changeKind);
    connect(m_url, &QLineEdit::textEdited, m_recent, &QListWidget::clearSelection);
    fillRecent();
    refresh();
    if (!m_options.recent.isEmpty())
        m_recent->setCurrentRow(0);
    m_url->setFocus();
    m_url->selectAll();
}

QWidget *ConnectDialog::buildRecent()
{
    m_recent->setAccessibleName(tr("Recent connections"));
    m_recent->setToolTip(
        tr("Select one to fill in what it was connected with; Delete takes it out"));
    m_recent->setTextElideMode(Qt::ElideMiddle);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_recent->setUniformItemSizes(true);
    m_recent->installEventFilter(this);
    auto *forget = new QToolButton;
    forget->setIcon(icon(u"remove"_s));
    forget->setToolTip(tr("Take the selected connection out of the list"));
    forget->setAccessibleName(forget->toolTip());
    forget->setFocusPolicy(Qt::StrongFocus);
    connect(forget, &QToolButton::clicked, this, &ConnectDialog::forgetCurrent);
    connect(m_recent, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && row < m_options.recent.size())
            setChoice(m_options.recent[row]);
    });
    connect(m_recent, &QListWidget::itemDoubleClicked, this, &ConnectDialog::accept);
    auto *box = new QWidget;
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gap::small);
    layout->addWidget(m_recent, 1);
    layout->addWidget(forget, 0, Qt::AlignTop);
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    box->setFocusProxy(m_recent);
    box->setAccessibleName(m_recent->accessibleName());
    return box;
}

void ConnectDialog::fillRecent()
{
    const QSignalBlocker silence(m_recent);
    m_recent->clear();
    for (const ConnectChoice &recent : m_options.recent) {
        QString system = recent.pack;
        for (const auto &[id, title] : m_options.systems)
            system = id == recent.pack ? title : system;
        m_recent->addItem(u"%1  —  %2"_s.arg(recent.url, system));
    }
    const int rows = std::min(int(m_options.recent.size()), 4);
    m_recent->setFixedHeight(rows * (m_recent->sizeHintForRow(0)) + 2 * m_recent->frameWidth() + 2);
    m_form->labelForField(m_recentBox)->setVisible(rows > 0);
    m_recentBox->setVisible(rows > 0);
}

QLineEdit *ConnectDialog::secret()
{
    auto *edit = new QLineEdit;
    edit->setEchoMode(QLineEdit::Password);
    QAction *shows = edit->addAction(icon(u"eye"_s), QLineEdit::TrailingPosition);
    shows->setCheckable(true);
    shows->setToolTip(tr("Show what is typed"));
    connect(shows, &QAction::toggled, edit, [edit, shows](bool on) {
        edit->setEchoMode(on ? QLineEdit::Normal : QLineEdit::Password);
        shows->setIcon(icon(on ? u"eye-off"_s : u"eye"_s));
    });
    return edit;
}

CredentialsKind ConnectDialog::kind() const
{
    return CredentialsKind(m_kind->currentIndex());
}

ConnectChoice ConnectDialog::choice() const
{
    ConnectChoice choice { .url = completedUrl(m_url->text().trimmed()),
        .pack = m_system->currentData().toString(),
        .credentials = kind(),
        .readOnly = m_readOnly->isChecked() };
    using Kind = CredentialsKind;
    switch (choice.credentials) {
    case Kind::None:
        return choice;
    case Kind::Bearer:
        break;
    case Kind::ApiKey:
    case Kind::QueryKey:
        choice.user = m_user->text().trimmed();
        if (choice.user.isEmpty())
            choice.user = m_user->placeholderText();
        break;
    case Kind::Basic:
        choice.user = m_user->text();
        break;
    case Kind::ClientCertificate:
        choice.certificate = m_certificate->file();
        choice.key = m_key->file();
        break;
    case Kind::TokenCommand:
        choice.user = m_user->text().trimmed();
        return choice;
    }
    const bool isChosen = choice.credentials == Kind::Basic
        || choice.credentials == Kind::ClientCertificate; // by somebody, who may want blanks
    choice.secret = isChosen ? m_secret->text() : m_secret->text().trimmed();
    return choice;
}

void ConnectDialog::setChoice(const ConnectChoice &choice)
{
    m_url->setText(choice.url);
    m_system->setCurrentIndex(std::max(m_system->findData(choice.pack), 0));
    m_kind->setCurrentIndex(int(choice.credentials));
    m_typed.clear();
    m_user->setText(choice.user);
    m_certificate->setFile(choice.certificate);
    m_key->setFile(choice.key);
    m_secret->setText(choice.secret);
    m_readOnly->setChecked(true); // writing is switched on each time anew
}

QList<ConnectChoice> ConnectDialog::recent() const
{
    return result() == Accepted ? remembered(m_options.recent, choice()) : m_options.recent;
}

void ConnectDialog::forgetCurrent()
{
    const int row = m_recent->currentRow();
    if (row < 0)
        return;
    m_options.recent.removeAt(row);
    fillRecent();
    refresh();
    if (!m_options.recent.isEmpty())
        m_recent->setCurrentRow(std::min(row, int(m_options.recent.size()) - 1));
    else
        m_url->setFocus();
}

ConnectDialog::Finding ConnectDialog::finding() const
{
    const auto missing = [](const QString &text) { return Finding { Notice::Tone::Hint, text }; };
    const auto wrong = [](const QString &text) { return Finding { Notice::Tone::Wrong, text }; };
    const ConnectChoice asked = choice();
    if (const QString text = serverUrlProblem(asked.url); !text.isEmpty())
        return asked.url.isEmpty() ? missing(text) : wrong(text);
    if (asked.pack.isEmpty())
        return missing(tr("Choose the system that the server speaks."));
    const bool isLacking = asked.secret.isEmpty();
    switch (asked.credentials) {
    case CredentialsKind::None:
        break;
    case CredentialsKind::Bearer:
        if (isLacking)
            return missing(tr("Paste the token."));
        break;
    case CredentialsKind::Basic:
        if (asked.user.isEmpty())
            return missing(tr("Type the name to sign in with."));
        if (asked.user.contains(u':'))
            return wrong(tr("A name cannot contain a colon."));
        break;
    case CredentialsKind::ApiKey:
        if (!isKeyHeader(asked.user))
            return wrong(tr("A header has another name, such as X-Api-Key."));
        [[fallthrough]];
    case CredentialsKind::QueryKey:
        if (isLacking)
            return missing(tr("Paste the key."));
        break;
    case CredentialsKind::TokenCommand:
        if (asked.user.isEmpty())
            return missing(tr("Type the command, such as gcloud auth print-access-token."));
        break;
    case CredentialsKind::ClientCertificate:
        if (QUrl(asked.url).scheme() != u"https")
            return wrong(tr("A client certificate needs https."));
        for (const FileField *field : { m_certificate, m_key }) {
            if (const QString text = field->problem(); !text.isEmpty())
                return field->file().isEmpty() ? missing(text) : wrong(text);
        }
        break;
    }
    return {};
}

/// What is worth knowing although it can be done.
QString ConnectDialog::hint() const
{
    const ConnectChoice asked = choice();
    const bool isSecret = asked.credentials != CredentialsKind::None
        && asked.credentials != CredentialsKind::ClientCertificate;
    const QUrl url(asked.url);
    return isSecret && url.scheme() == u"http" && !isLoopback(url.host())
        ? tr("Over http anybody on the way can read the credentials; https hides them.")
        : QString();
}

/// What was typed for one kind is not for another.
void ConnectDialog::changeKind()
{
    const QList<QLineEdit *> shared { m_user, m_secret };
    QStringList typed;
    for (const QLineEdit *edit : shared)
        typed += edit->text();
    m_typed.insert(m_shown, typed);
    m_shown = kind();
    const QStringList before = m_typed.value(m_shown);
    for (qsizetype i = 0; i < shared.size(); ++i)
        shared[i]->setText(before.value(i));
    refresh();
}

/// Those of the kind, called as it calls them.
void ConnectDialog::showFields()
{
    QHash<QWidget *, QString> shown;
    for (const Field &field : std::as_const(m_fields)) {
        if (field.kind == kind())
            shown.insert(field.widget, field.label);
    }
    for (const Field &field : std::as_const(m_fields)) {
        auto *label = qobject_cast<QLabel *>(m_form->labelForField(field.widget));
        const bool isShown = shown.contains(field.widget);
        const QString text = isShown ? shown.value(field.widget) : field.label;
        label->setText(text);
        field.widget->setAccessibleName(QString(text).remove(u'&'));
        field.widget->setVisible(isShown);
        label->setVisible(isShown);
    }
    const bool isCertificate = kind() == CredentialsKind::ClientCertificate;
    m_secret->setPlaceholderText(isCertificate ? tr("none") : QString());
    m_user->setPlaceholderText(kind() == CredentialsKind::ApiKey ? u"X-Api-Key"_s
            : kind() == CredentialsKind::QueryKey                ? u"api_key"_s
                                                                 : QString());
}

void ConnectDialog::refresh()
{
    showFields();
    const Finding found = finding();
    const QString known = hint();
    if (!found.text.isEmpty())
        m_notice->say(found.tone, found.text);
    else if (!known.isEmpty())
        m_notice->say(Notice::Tone::Hint, known);
    else
        m_notice->say(Notice::Tone::Good,
            tr("The tree of %1 will be read; nothing is changed yet.")
                .arg(choice().url == m_url->text().trimmed() ? QUrl(choice().url).host()
                                                             : choice().url));
    m_accept->setEnabled(found.text.isEmpty());
    fitHeight();
}

void ConnectDialog::fitHeight()
{
    layout()->activate();
    if (const int height = layout()->totalHeightForWidth(width()); height > 0)
        resize(width(), height);
}

void ConnectDialog::accept()
{
    if (problem().isEmpty())
        QDialog::accept();
}

bool ConnectDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_recent && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete) {
        forgetCurrent();
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace instar
