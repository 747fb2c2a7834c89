create table birds (name text);
