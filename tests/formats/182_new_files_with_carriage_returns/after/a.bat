@echo off

dir
