create table bird (id int);
-- old names
-- a/b
select 1;
