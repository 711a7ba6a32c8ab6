// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QDialog>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

class QPushButton;

namespace instar {

namespace Ui {
class ServeDialog;
}

/// How this world is offered to other clients.
struct ServeChoice
{
    quint16 port = 0; ///< 0: any free one
    QString address = QStringLiteral("127.0.0.1");
    QStringList hosts;                ///< names that clients may use beside its addresses
    QByteArray token;                 ///< that clients must bring; a secret; empty: see tokenFile
    QString tokenFile;                ///< that holds it; empty with `token`: none is demanded
    QString certificateFile, keyFile; ///< PEM; empty: plain HTTP
    double speed = 1;                 ///< of virtual time against real time
    std::optional<int> retryAfter;    ///< seconds; none: what the system says
    bool operator==(const ServeChoice &) const = default;
};

/// Why a text is no address to listen on, as a sentence; empty: it is one.
QString addressProblem(const QString &address);

/// Asks where and how this world is served to other clients.
class ServeDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ServeDialog(const ServeChoice &usual = {}, QWidget *parent = nullptr);
    ~ServeDialog() override;

    ServeChoice choice() const;
    /// Why it cannot be served so, as a sentence; empty: it can be tried.
    QString problem() const;

    void accept() override;

private:
    bool isForOthers() const;
    bool generatesToken() const;
    bool isSecure() const;
    void refresh();

    std::unique_ptr<Ui::ServeDialog> m_ui;
    QPushButton *m_accept;
};

} // namespace instar
