// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;

namespace instar {

/// Where to begin: what can be done with what is shown, and what else could be shown.
class StartStrip : public QFrame
{
    Q_OBJECT
public:
    struct Start
    {
        QString id, title;
    };
    /// `operations` are those of the pack that is shown, `current` its id.
    StartStrip(const QStringList &operations, const QList<Start> &systems, const QString &current,
        QWidget *parent = nullptr);

signals:
    void systemAsked(const QString &id);
    void guideAsked();
    void fileAsked();
    void serverAsked();
    void closed();

private:
    void follow(const QString &link);
};

} // namespace instar
