// SPDX-License-Identifier: Apache-2.0
#include "views/panels/servedialog.h"

#include "model/freshtoken.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/connectchoice.h"
#include "views/panels/transport.h"
#include "views/panels/ui_servedialog.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLocale>
#include <QPushButton>
#include <QStringList>
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
    : QDialog(parent), m_ui(std::make_unique<Ui::ServeDialog>())
{
    m_ui->setupUi(this);
    nameFields(*this);
    m_accept = addAccept(m_ui->buttons, tr("Serve"));
    m_ui->address->setCurrentText(usual.address);
    m_ui->hosts->setText(usual.hosts.join(u' '));
    m_ui->port->setValue(usual.port);
    m_ui->tokenFrom->setCurrentIndex(usual.tokenFile.isEmpty() ? 0 : 1);
    m_ui->token->setText(QString::fromLatin1(freshToken()));
    m_ui->token->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_ui->token->setCursorPosition(0);
    m_ui->copy->setIcon(icon(u"copy"_s));
    m_ui->tokenRow->setFocusProxy(m_ui->token);
    m_ui->tokenFile->setFile(usual.tokenFile);
    m_ui->transport->setCurrentIndex(usual.certificateFile.isEmpty() ? 0 : 1);
    m_ui->certificate->setFile(usual.certificateFile);
    m_ui->key->setFile(usual.keyFile);
    for (const double speed : Transport::speeds())
        m_ui->speed->addItem(u"%1×"_s.arg(QLocale().toString(speed)), speed);
    m_ui->speed->setCurrentIndex(std::max(m_ui->speed->findData(usual.speed), 0));
    m_ui->retryAfter->setValue(usual.retryAfter.value_or(-1));

    connect(m_ui->copy, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_ui->token->text()); });
    connect(m_ui->address, &QComboBox::currentTextChanged, this, &ServeDialog::refresh);
    for (QComboBox *box : { m_ui->tokenFrom, m_ui->transport })
        connect(box, &QComboBox::currentIndexChanged, this, &ServeDialog::refresh);
    for (FileField *field : { m_ui->tokenFile, m_ui->certificate, m_ui->key })
        connect(field, &FileField::changed, this, &ServeDialog::refresh);
    refresh();
    resize(480, sizeHint().height());
}

ServeDialog::~ServeDialog() = default;

bool ServeDialog::isForOthers() const
{
    return !isLoopback(m_ui->address->currentText().trimmed());
}

bool ServeDialog::generatesToken() const
{
    return m_ui->tokenFrom->currentIndex() == 0;
}

bool ServeDialog::isSecure() const
{
    return m_ui->transport->currentIndex() == 1;
}

ServeChoice ServeDialog::choice() const
{
    ServeChoice choice { .port = quint16(m_ui->port->value()),
        .address = m_ui->address->currentText().trimmed(),
        .hosts = m_ui->hosts->text().split(u' ', Qt::SkipEmptyParts),
        .speed = m_ui->speed->currentData().toDouble() };
    if (isForOthers() && generatesToken())
        choice.token = m_ui->token->text().toLatin1();
    else if (isForOthers())
        choice.tokenFile = m_ui->tokenFile->file();
    if (isSecure()) {
        choice.certificateFile = m_ui->certificate->file();
        choice.keyFile = m_ui->key->file();
    }
    if (m_ui->retryAfter->value() >= 0)
        choice.retryAfter = m_ui->retryAfter->value();
    return choice;
}

QString ServeDialog::problem() const
{
    if (const QString wrong = addressProblem(m_ui->address->currentText().trimmed());
        !wrong.isEmpty())
        return wrong;
    if (isForOthers() && !generatesToken() && !m_ui->tokenFile->problem().isEmpty())
        return m_ui->tokenFile->problem();
    if (isSecure()) {
        for (const FileField *field : { m_ui->certificate, m_ui->key }) {
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
        m_ui->form->labelForField(field)->setVisible(shows);
    };
    show(m_ui->tokenFrom, isForOthers());
    show(m_ui->tokenRow, isForOthers() && generatesToken());
    show(m_ui->tokenFile, isForOthers() && !generatesToken());
    show(m_ui->certificate, isSecure());
    show(m_ui->key, isSecure());

    const QString wrong = problem();
    if (!wrong.isEmpty())
        m_ui->notice->say(Notice::Tone::Wrong, wrong);
    else if (!isForOthers())
        m_ui->notice->say(Notice::Tone::Good, tr("Only programs on this computer can reach it."));
    else if (!isSecure())
        m_ui->notice->say(Notice::Tone::Hint,
            tr("Others in the network can reach it with the token; over HTTP they can also read "
               "it. HTTPS hides it."));
    else
        m_ui->notice->say(
            Notice::Tone::Hint, tr("Others in the network can reach it with the token."));
    m_accept->setEnabled(wrong.isEmpty());
}

void ServeDialog::accept()
{
    if (problem().isEmpty())
        QDialog::accept();
}

} // namespace instar
