// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QTreeWidget;

namespace instar {

/// Dialog of everything that can be opened: systems, recent files, new packs, a server. The window
/// behind it stays active.
class StartPage : public QDialog
{
    Q_OBJECT
public:
    /// System that can be opened, by its id or file.
    struct Start
    {
        QString id, title;
    };
    /// `templates`: files from which a new pack can be made.
    StartPage(const QList<Start> &systems, const QList<Start> &templates, const QStringList &recent,
        QWidget *parent = nullptr);

signals:
    /// A system's id, or a file, which may be a template.
    void sourceAsked(const QString &source);
    void fileAsked();
    void serverAsked();

private:
    QTreeWidget *list(const QString &name);
    void choose(const QString &source);
};

} // namespace instar
