// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <QSslSocket>

#include <memory>

namespace instar {

/// One end of a connection, as bytes. Each of its two ways ends by itself, which a QTcpSocket does
/// not let happen.
class Channel : public QObject
{
    Q_OBJECT
public:
    /// What is written now goes out in order; it is kept as long as the other side does not take
    /// it.
    virtual void write(const QByteArray &bytes) = 0;
    virtual qint64 unsent() const = 0;
    /// Nothing is written any more: the other side is told so behind what is unsent.
    virtual void finish() = 0;
    /// Whether what comes goes on after that.
    virtual bool hasTwoEnds() const = 0;
    /// Whether what comes is read; at the beginning it is not.
    virtual void setReading(bool reads) = 0;

signals:
    void came(const QByteArray &bytes);
    void sent();   ///< some of what was unsent has gone
    void ended();  ///< nothing more comes
    void broken(); ///< neither way goes on
};

/// A socket of the system's.
class PlainChannel : public Channel
{
    Q_OBJECT
public:
    explicit PlainChannel(int descriptor); ///< is closed in the end
    ~PlainChannel() override;

    void write(const QByteArray &bytes) override;
    qint64 unsent() const override { return m_out.size() - m_gone; }
    void finish() override;
    bool hasTwoEnds() const override { return true; }
    void setReading(bool reads) override { m_readable.setEnabled(reads && !m_hasEnded); }

private:
    void read();
    void send();
    void fail();

    const int m_descriptor;
    QSocketNotifier m_readable, m_writable;
    QByteArray m_out;
    qsizetype m_gone = 0; ///< of m_out
    bool m_hasEnded = false, m_isFinishing = false;
};

/// An encrypted connection that is established.
class SecureChannel : public Channel
{
    Q_OBJECT
public:
    explicit SecureChannel(std::unique_ptr<QSslSocket> socket);

    void write(const QByteArray &bytes) override { m_socket->write(bytes); }
    qint64 unsent() const override
    {
        return m_socket->bytesToWrite() + m_socket->encryptedBytesToWrite();
    }
    void finish() override { m_socket->disconnectFromHost(); }
    bool hasTwoEnds() const override { return false; }
    void setReading(bool reads) override;

private:
    void read();

    std::unique_ptr<QSslSocket> m_socket;
    bool m_reads = false;
};

} // namespace instar
