// SPDX-License-Identifier: Apache-2.0
#include "model/remote/channel.h"

#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace instar {

namespace {

constexpr qsizetype OneRead = 64 * 1024;

bool isForLater(int error)
{
    return error == EAGAIN || error == EINTR;
}

} // namespace

PlainChannel::PlainChannel(int descriptor)
    : m_descriptor(descriptor),
      m_readable(descriptor, QSocketNotifier::Read),
      m_writable(descriptor, QSocketNotifier::Write)
{
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    const int isOn = 1; // what is small is not held back until more comes
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &isOn, sizeof isOn);
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, [this] { read(); });
    connect(&m_writable, &QSocketNotifier::activated, this, [this] { send(); });
}

PlainChannel::~PlainChannel()
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    ::close(m_descriptor);
}

void PlainChannel::read()
{
    QByteArray room(OneRead, Qt::Uninitialized);
    const ssize_t count = ::recv(m_descriptor, room.data(), size_t(room.size()), 0);
    if (count > 0) {
        room.truncate(count);
        emit came(room);
    } else if (count == 0) {
        m_hasEnded = true;
        m_readable.setEnabled(false);
        emit ended();
    } else if (!isForLater(errno)) {
        fail();
    }
}

void PlainChannel::write(const QByteArray &bytes)
{
    if (m_isFinishing)
        return;
    m_out.append(bytes);
    send();
}

void PlainChannel::finish()
{
    m_isFinishing = true;
    send();
}

void PlainChannel::send()
{
    while (unsent() > 0) {
        const ssize_t count =
            ::send(m_descriptor, m_out.constData() + m_gone, size_t(unsent()), MSG_NOSIGNAL);
        if (count < 0 && !isForLater(errno))
            return fail();
        if (count <= 0)
            break;
        m_gone += count;
    }
    m_writable.setEnabled(unsent() > 0);
    if (unsent() == 0) {
        m_out.clear();
        m_gone = 0;
        if (m_isFinishing)
            ::shutdown(m_descriptor, SHUT_WR);
    } else if (m_gone > m_out.size() / 2) {
        m_out.remove(0, m_gone);
        m_gone = 0;
    }
    emit sent();
}

void PlainChannel::fail()
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    m_hasEnded = true;
    emit broken();
}

SecureChannel::SecureChannel(std::unique_ptr<QSslSocket> socket) : m_socket(std::move(socket))
{
    m_socket->setReadBufferSize(OneRead);
    connect(m_socket.get(), &QSslSocket::readyRead, this, [this] { read(); });
    connect(m_socket.get(), &QSslSocket::encryptedBytesWritten, this, [this] { emit sent(); });
    connect(m_socket.get(), &QSslSocket::disconnected, this, [this] {
        m_reads = true; // what has come before is still to be told
        read();
        emit ended();
    });
}

void SecureChannel::setReading(bool reads)
{
    m_reads = reads;
    // Not from within: who is told may be asking.
    if (reads && m_socket->bytesAvailable() > 0)
        QMetaObject::invokeMethod(
            this, [this] { read(); }, Qt::QueuedConnection);
}

void SecureChannel::read()
{
    while (m_reads) {
        const QByteArray bytes = m_socket->read(OneRead);
        if (bytes.isEmpty())
            return;
        emit came(bytes);
    }
}

} // namespace instar
