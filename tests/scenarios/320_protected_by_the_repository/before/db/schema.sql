create table birds (
    name text,
    weight real
);
