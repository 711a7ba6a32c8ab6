// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QString>
#include <QTemporaryDir>

#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace instar {

/// File that must not be read: a pipe that detects readers, and closes so that they go on.
class Trap
{
public:
    Trap()
    {
        if (::mkfifo(QFile::encodeName(path()).constData(), 0600) != 0)
            qFatal("no pipe can be made");
        m_watch = std::thread([this, name = QFile::encodeName(path())] {
            while (!m_isOver) {
                const int file =
                    ::open(name.constData(), O_WRONLY | O_NONBLOCK); // only beside a reader
                if (file >= 0) {
                    m_isSprung = true;
                    ::close(file);
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
    }
    ~Trap()
    {
        m_isOver = true;
        m_watch.join();
    }
    Q_DISABLE_COPY_MOVE(Trap)

    QString path() const { return m_folder.filePath(QStringLiteral("trap.png")); }
    bool isSprung() const { return m_isSprung; }

private:
    QTemporaryDir m_folder;
    std::atomic<bool> m_isSprung = false, m_isOver = false;
    std::thread m_watch;
};

} // namespace instar
