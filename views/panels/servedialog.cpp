// SPDX-License-Identifier: Apache-2.0
#include "views/panels/servedialog.h"

#include "model/freshtoken.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/connectchoice.h"
#include "views/panels/inputs.h"
#include "views/panels/notice.h"
#include "views/panels/transport.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QStringList>
#include <QToolButton>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

bool isIpv4(const QString &text)
{
    const QStringList parts = text.split(u'.');
    return parts.size() == 4 && std::ranges::all_of(parts, [](const QString &part) {
        bool isNumber = false;
        const uint number = part.toUInt(&isNumber);
        return isNumber && number <= 255 && part == QString::number(number);
    });
}

bool isIpv6(const QString &text)
{
    QUrl url;
    url.setScheme(u"http"_s);
    url.setHost(u'[' + text + u']', QUrl::StrictMode);
    return text.contains(u':') && url.isValid() && !url.host().isEmpty();
}

} // namespace

QString addressProblem(const QString &address)
{
    if (address.isEmpty())
        return ServeDialog::tr("Give the address to listen on; 127.0.0.1 is this computer only.");
    if (isIpv4(address) || isIpv6(address))
        return {};
    return ServeDialog::tr("%1 is not an address such as 127.0.0.1, 0.0.0.0 or ::1.").arg(address);
}

ServeDialog::ServeDialog(const ServeChoice &usual, QWidget *parent)
    : QDialog(parent),
      m_form(new QFormLayout),
      m_port(new QSpinBox),
      m_address(new QComboBox),
      m_hosts(new QLineEdit(usual.hosts.join(u' '))),
      m_tokenFrom(new QComboBox),
      m_token(new QLineEdit(QString::fromLatin1(freshToken()))),
      m_copy(new QToolButton),
      m_tokenRow(new QWidget),
      m_tokenFile(new FileField(tr("Token file"), tr("All files (*)"))),
      m_transport(new QComboBox),
      m_certificate(
          new FileField(tr("Certificate"), tr("Certificates (*.pem *.crt *.cer);;All files (*)"))),
      m_key(new FileField(tr("Private key"), tr("Keys (*.pem *.key);;All files (*)"))),
      m_speed(new QComboBox),
      m_retryAfter(new QSpinBox),
      m_notice(new Notice)
{
    setWindowTitle(tr("Serve this world"));
    m_port->setRange(0, 65535);
    m_port->setSpecialValueText(tr("any free one"));
    m_port->setValue(usual.port);
    m_address->setEditable(true);
    m_address->addItems({ u"127.0.0.1"_s, u"::1"_s, u"0.0.0.0"_s, u"::"_s });
    m_address->setItemData(0, tr("This computer only"), Qt::ToolTipRole);
    m_address->setItemData(1, tr("This computer only, IPv6"), Qt::ToolTipRole);
    m_address->setItemData(2, tr("Every network that this computer is in"), Qt::ToolTipRole);
    m_address->setItemData(3, tr("Every network that this computer is in, IPv6"), Qt::ToolTipRole);
    m_address->setCurrentText(usual.address);
    m_hosts->setPlaceholderText(tr("none"));
    m_hosts->setToolTip(tr("Host names by which clients may reach it, apart by blanks. Any other "
                           "name is refused, so that no web page leads browsers here"));
    m_tokenFrom->addItems({ tr("A fresh one"), tr("From a file") });
    m_tokenFrom->setCurrentIndex(usual.tokenFile.isEmpty() ? 0 : 1);
    m_tokenFile->setFile(usual.tokenFile);
    m_token->setReadOnly(true);
    m_token->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_token->setCursorPosition(0);
    m_token->setAccessibleName(tr("Fresh token"));
    m_token->setToolTip(
        tr("Clients send it as a bearer token. It is shown here only: copy it now"));
    m_copy->setIcon(icon(u"copy"_s));
    m_copy->setToolTip(tr("Copy the token"));
    m_copy->setAccessibleName(m_copy->toolTip());
    m_copy->setFocusPolicy(Qt::StrongFocus);
    m_transport->addItems({ u"HTTP"_s, u"HTTPS"_s });
    m_transport->setCurrentIndex(usual.certificateFile.isEmpty() ? 0 : 1);
    m_certificate->setFile(usual.certificateFile);
    m_key->setFile(usual.keyFile);
    for (const double speed : Transport::speeds())
        m_speed->addItem(u"%1×"_s.arg(QLocale().toString(speed)), speed);
    m_speed->setCurrentIndex(std::max(m_speed->findData(usual.speed), 0));
    m_speed->setToolTip(tr("Virtual time against real time"));
    m_retryAfter->setRange(-1, 3600);
    m_retryAfter->setSpecialValueText(tr("as the system says"));
    m_retryAfter->setSuffix(tr(" s"));
    m_retryAfter->setValue(usual.retryAfter.value_or(-1));
    m_retryAfter->setToolTip(tr("After how many seconds clients are told to ask again"));

    auto *tokenLayout = new QHBoxLayout(m_tokenRow);
    tokenLayout->setContentsMargins(0, 0, 0, 0);
    tokenLayout->setSpacing(gap::small);
    tokenLayout->addWidget(m_token, 1);
    tokenLayout->addWidget(m_copy);
    m_tokenRow->setFocusProxy(m_token);
    m_form->setHorizontalSpacing(gap::normal);
    m_form->setVerticalSpacing(gap::normal);
    m_form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto add = [this](const QString &text, QWidget *field) {
        m_form->addRow(text, field);
        if (field->accessibleName().isEmpty())
            field->setAccessibleName(QString(text).remove(u'&'));
    };
    add(tr("A&ddress"), m_address);
    add(tr("&Host names"), m_hosts);
    add(tr("&Port"), m_port);
    add(tr("T&oken"), m_tokenFrom);
    add(tr("F&resh token"), m_tokenRow);
    add(tr("Token &file"), m_tokenFile);
    add(tr("Pro&tocol"), m_transport);
    add(tr("&Certificate"), m_certificate);
    add(tr("Private &key"), m_key);
    add(tr("&Speed"), m_speed);
    add(tr("Retry-&After"), m_retryAfter);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_accept = buttons->addButton(tr("Serve"), QDialogButtonBox::AcceptRole);
    m_accept->setObjectName(u"primary"_s);
    m_accept->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gap::large, gap::large, gap::large, gap::large);
    layout->setSpacing(gap::normal);
    layout->addLayout(m_form);
    layout->addStretch();
    layout->addWidget(m_notice);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::accepted, this, &ServeDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ServeDialog::reject);
    connect(m_copy, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_token->text()); });
    connect(m_address, &QComboBox::currentTextChanged, this, &ServeDialog::refresh);
    for (QComboBox *box : { m_tokenFrom, m_transport })
        connect(box, &QComboBox::currentIndexChanged, this, &ServeDialog::refresh);
    for (FileField *field : { m_tokenFile, m_certificate, m_key })
        connect(field, &FileField::changed, this, &ServeDialog::refresh);
    refresh();
    resize(480, sizeHint().height());
}

bool ServeDialog::isForOthers() const
{
    return !isLoopback(m_address->currentText().trimmed());
}

bool ServeDialog::generatesToken() const
{
    return m_tokenFrom->currentIndex() == 0;
}

bool ServeDialog::isSecure() const
{
    return m_transport->currentIndex() == 1;
}

ServeChoice ServeDialog::choice() const
{
    ServeChoice choice { .port = quint16(m_port->value()),
        .address = m_address->currentText().trimmed(),
        .hosts = m_hosts->text().split(u' ', Qt::SkipEmptyParts),
        .speed = m_speed->currentData().toDouble() };
    if (isForOthers() && generatesToken())
        choice.token = m_token->text().toLatin1();
    else if (isForOthers())
        choice.tokenFile = m_tokenFile->file();
    if (isSecure()) {
        choice.certificateFile = m_certificate->file();
        choice.keyFile = m_key->file();
    }
    if (m_retryAfter->value() >= 0)
        choice.retryAfter = m_retryAfter->value();
    return choice;
}

QString ServeDialog::problem() const
{
    if (const QString wrong = addressProblem(m_address->currentText().trimmed()); !wrong.isEmpty())
        return wrong;
    if (isForOthers() && !generatesToken() && !m_tokenFile->problem().isEmpty())
        return m_tokenFile->problem();
    if (isSecure()) {
        for (const FileField *field : { m_certificate, m_key }) {
            if (const QString wrong = field->problem(); !wrong.isEmpty())
                return wrong;
        }
    }
    return {};
}

void ServeDialog::refresh()
{
    const auto show = [this](QWidget *field, bool shows) {
        field->setVisible(shows);
        m_form->labelForField(field)->setVisible(shows);
    };
    show(m_tokenFrom, isForOthers());
    show(m_tokenRow, isForOthers() && generatesToken());
    show(m_tokenFile, isForOthers() && !generatesToken());
    show(m_certificate, isSecure());
    show(m_key, isSecure());

    const QString wrong = problem();
    if (!wrong.isEmpty())
        m_notice->say(Notice::Tone::Wrong, wrong);
    else if (!isForOthers())
        m_notice->say(Notice::Tone::Good, tr("Only programs on this computer can reach it."));
    else if (!isSecure())
        m_notice->say(Notice::Tone::Hint,
            tr("Others in the network can reach it with the token; over HTTP they can also read "
               "it. HTTPS hides it."));
    else
        m_notice->say(Notice::Tone::Hint, tr("Others in the network can reach it with the token."));
    m_accept->setEnabled(wrong.isEmpty());
}

void ServeDialog::accept()
{
    if (problem().isEmpty())
        QDialog::accept();
}

} // namespace instar
