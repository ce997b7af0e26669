-- Nights under a clear sky, by month.
CREATE TABLE observation (
    id      INTEGER PRIMARY KEY,
    night   TEXT NOT NULL,           -- as 2026-11-20
    object  TEXT NOT NULL,
    seeing  INTEGER CHECK (seeing BETWEEN 1 AND 5)
);

SELECT substr(night, 1, 7) AS month, count(*) AS nights, round(avg(seeing), 1) AS seeing
FROM observation
WHERE seeing >= 3
GROUP BY month
ORDER BY month;
