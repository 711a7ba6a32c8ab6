// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace instar {

/// Input of a request's target: a resource by path, or a new one by parent, type and name.
class TargetPicker : public QWidget
{
    Q_OBJECT
public:
    explicit TargetPicker(const Controller &controller, QWidget *parent = nullptr);

    QString path() const;
    bool isNew() const;
    /// Shows a resource; while a new one is being described, it becomes its parent.
    void setPath(const QString &path);
    /// Describes a new resource below a parent; an empty path means the top.
    void describeNew(const QString &parentPath);
    /// Returns to the path of a resource that exists, or did.
    void showExisting(const QString &path);

signals:
    void changed();
    void pathEdited(const QString &path); ///< the user finished editing
    /// Return was pressed in the name of a new resource.
    void entered();

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
