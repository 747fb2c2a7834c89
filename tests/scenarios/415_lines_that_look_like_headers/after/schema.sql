create table bird (id int);
-- new names
++ c/d
select 1;
