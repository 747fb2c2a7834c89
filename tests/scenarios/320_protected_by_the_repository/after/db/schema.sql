create table birds (
    name text,
    ring text,
    weight real
);
