// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace instar {

/// Input of a request's target: an existing resource by its path, or a new one by parent, type and
/// name.
class TargetPicker : public QWidget
{
    Q_OBJECT
public:
    explicit TargetPicker(const Controller &controller, QWidget *parent = nullptr);

    QString path() const; ///< of the target
    bool isNew() const;   ///< the target is a new resource
    /// Sets the path of the target. While a new resource is described, an existing resource at the
    /// path becomes the parent of the new one.
    void setPath(const QString &path);
    /// Switches to a new resource below a parent; an empty path means the top level.
    void describeNew(const QString &parentPath);
    /// Switches to the resource at a path, which exists or existed earlier.
    void showExisting(const QString &path);

signals:
    void changed();                       ///< the target has changed
    void pathEdited(const QString &path); ///< the user finished editing the path
    /// The user pressed Return in the name of a new resource.
    void nameEntered();

private:
    void fillTypes();
    QString freeName() const;

    const Controller &m_controller;
    QToolButton *m_newToggle;
    QStackedWidget *m_pages;
    QLineEdit *m_path;
    QLineEdit *m_parent, *m_name;
    QComboBox *m_type;
    bool m_isNameSuggested = true;
};

} // namespace instar
