#!/bin/sh

ls
