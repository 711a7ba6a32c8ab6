// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

#include <algorithm>
#include <iterator>

namespace instar {

/// Persistent list (Driscoll et al., "Making Data Structures Persistent", 1989) of two levels:
/// copies share chunks, so changing one element after a copy copies its chunk and the list of the
/// chunks, not all elements. Use longer chunks for small elements.
template<typename T, qsizetype Chunk = 32>
class PersistentList
{
public:
    using value_type = T;

    class const_iterator
    {
    public:
        using iterator_concept = std::random_access_iterator_tag;
        using iterator_category = std::random_access_iterator_tag;
        using difference_type = qsizetype;
        using value_type = T;
        using pointer = const T *;
        using reference = const T &;

        const_iterator() = default;
        const_iterator(const PersistentList *list, qsizetype index) : m_list(list), m_index(index)
        { }
        reference operator*() const { return (*m_list)[m_index]; }
        pointer operator->() const { return &(*m_list)[m_index]; }
        reference operator[](difference_type by) const { return (*m_list)[m_index + by]; }
        const_iterator &operator+=(difference_type by)
        {
            m_index += by;
            return *this;
        }
        const_iterator &operator-=(difference_type by) { return *this += -by; }
        const_iterator &operator++() { return *this += 1; }
        const_iterator &operator--() { return *this -= 1; }
        const_iterator operator++(int) { return { m_list, m_index++ }; }
        const_iterator operator--(int) { return { m_list, m_index-- }; }
        friend const_iterator operator+(const_iterator it, difference_type by) { return it += by; }
        friend const_iterator operator+(difference_type by, const_iterator it) { return it += by; }
        friend const_iterator operator-(const_iterator it, difference_type by) { return it -= by; }
        friend difference_type operator-(const_iterator a, const_iterator b)
        {
            return a.m_index - b.m_index;
        }
        bool operator==(const const_iterator &other) const { return m_index == other.m_index; }
        auto operator<=>(const const_iterator &other) const { return m_index <=> other.m_index; }

    private:
        const PersistentList *m_list = nullptr;
        qsizetype m_index = 0;
    };

    qsizetype size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    const T &operator[](qsizetype index) const { return m_chunks[index / Chunk][index % Chunk]; }
    const T &first() const { return (*this)[0]; }
    const T &last() const { return (*this)[m_size - 1]; }
    const_iterator begin() const { return { this, 0 }; }
    const_iterator end() const { return { this, m_size }; }

    /// Element to be changed; detaches its chunk from copies.
    T &change(qsizetype index) { return m_chunks[index / Chunk][index % Chunk]; }
    void append(T value)
    {
        if (m_size % Chunk == 0)
            m_chunks.append(QList<T>());
        m_chunks.last().append(std::move(value));
        ++m_size;
    }

    bool operator==(const PersistentList &other) const
    {
        return m_size == other.m_size && m_chunks == other.m_chunks;
    }

private:
    QList<QList<T>> m_chunks; ///< all are full but the last
    qsizetype m_size = 0;
};

} // namespace instar
